_Thread_local char theirs[16] = { 9 };
char *their_text(void) { return theirs; }
