# Days on standard input.
printf '2023-12-01\n2024-12-01\n' | ./days > lines.out
printf '335\n336\n' | cmp - lines.out
