int common_counter;
int chosen(int c) { if (c == '!') return 100; return 200; }
int other_sum(int n) { return common_counter + n; }
int renamed(int c) __asm__("other_name");
int renamed(int c) { return c / 100 - c % 100; }
int event_count = 6;
