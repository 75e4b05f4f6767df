# The usual work of sed over text: anchors, groups, classes, alternation, the
# hold space, y, a loop and a back-reference, which the DFA cannot decide.
s/\([a-z]*\) \([a-z]*\)/\2 \1/
s/[aeiou][aeiou]*/<&>/g
/^[0-9][0-9]*: /{
  s//N: /
  h
}
/end\.$/!{
  s/<\([a-z]*\)>$/[\1]/
  y/abcxyz/ABCXYZ/
}
s/\(th\|he\|in\|er\)/{\1}/g
s/\([a-z]\)\1/(\1\1)/g
:again
s/, \([a-z]\)/;\1/
t again
/^N/{
  x
  s/N: //
  G
}
