# sed 4.0.6 to 4.5 (bug#32082; NEWS: "no longer accesses invalid memory (heap overflow) when given invalid backreferences in 's' command"): the empty regular expression is the one used last, which may have fewer
# groups than the replacement wants.
#
# It is no longer asked whether there is such a group. Fails: sed -e '/^/s///p ; 2s//\9/'

/^static void append_replacement/,/^}/s/ && i < regs->num_regs//
