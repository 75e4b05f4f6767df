# find 4.3.1 until before 4.7 (Savannah bug 52220; NEWS: "'find -D' without any further argument no longer crashes"): what follows is taken for the argument, and that is the null pointer behind the last one.
#
# It is no longer asked whether there is an argument. Fails: find -D

/^process_leading_options/,/^}/ {
	/if (argc <= i+1)/,/}/d
}
