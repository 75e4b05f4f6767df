# The last day of a year with a 29th of February.
[ "$(./days 2024-12-31)" = 366 ]
