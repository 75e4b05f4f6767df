# What is no date is refused: status 1, and a message.
! ./days 2023-12-32 2> wrong.err && echo 'days: no date: 2023-12-32' | cmp - wrong.err
