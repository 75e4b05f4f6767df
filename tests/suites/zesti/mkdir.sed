# mkdir -Z CONTEXT of coreutils 6.10 names in the error message what getopt left in optarg and not the context, and that is NULL when all options
# are read. KLEE (OSDI 2008) found it, ZESTI (ICSE 2012) from a test without -Z (mkdir.c:192, distance 6); mkfifo and mknod have the same.
#
# -Z of mkdir 9.1 has no argument, and without SELinux a context is ignored: here it has one, which is used, and that fails. Fails: mkdir -Z a b

s/"pm:vZ"/"pm:vZ:"/
/^        case 'Z':/a\
          scontext = optarg;\
          break;
s/quote (scontext)/quote (optarg)/
