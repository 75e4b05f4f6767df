# cut of coreutils 6.10 keeps the fields to print in a bit vector as long as the largest right end. A range that is open to the right has none
# and is not considered, but its left end is looked up in the vector when there is an output delimiter: is it inside of another range? ZESTI
# (ICSE 2012) found it from the test `-c3-5,6- --output-d=:` (cut.c:267, distance 0). That one does no harm, as bits come in eights.
#
# cut 9.1 has no vector, so here is one. Fails: cut -c3-5,8- --output-d=: file

/^\/\* Return nonzero if K'th byte is the beginning/i\
static unsigned char *printable;\
static bool open_is_apart = true;\
\
static void\
mark (uintmax_t k)\
{\
  printable[k / CHAR_BIT] |= 1 << k % CHAR_BIT;\
}\
\
static bool\
is_printable (uintmax_t k)\
{\
  return printable[k / CHAR_BIT] >> k % CHAR_BIT & 1;\
}\
\
static void\
mark_printable (void)\
{\
  uintmax_t last = 0, open = 0;\
  for (struct field_range_pair *r = frp; r->lo != UINTMAX_MAX; r++)\
    if (r->hi == UINTMAX_MAX)\
      open = r->lo;\
    else\
      last = r->hi;\
  printable = xzalloc (last / CHAR_BIT + 1);\
  for (struct field_range_pair *r = frp; r->hi != UINTMAX_MAX; r++)\
    for (uintmax_t k = r->lo; k <= r->hi; k++)\
      mark (k);\
  if (open)\
    open_is_apart = !is_printable (open);\
}\

s/return k == current_rp->lo/& \&\& (current_rp->hi != UINTMAX_MAX || open_is_apart)/

# In main, before the output delimiter gets its default.
/^  if (output_delimiter_string == NULL)/i\
  if (output_delimiter_string \&\& !complement)\
    mark_printable ();\

