# The usual work of awk over text: fields, sums, a count of words, matching and substitution.
/^[0-9]+:/ { sum += $1; numbered++ }
{
    for (i = 1; i <= NF; i++) {
        words[$i]++
        length_of[length($i)]++
    }
}
/end\.$/ { gsub(/[aeiou]+/, "<&>"); changed += length($0) }
$2 ~ /^t.*e/ { print toupper(substr($0, 1, 20)) }
END {
    for (w in words) if (words[w] > most) most = words[w]
    printf "%d %d %d %d\n", sum, numbered, changed, most
}
