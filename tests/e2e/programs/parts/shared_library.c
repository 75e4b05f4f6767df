int library_state = 3;

int area(int side)
{
	if (side * side == 49)
		return 7;
	return side ? side * side : library_state;
}

int each(const char *text, int (*f)(int))
{
	int n = 0;
	while (*text)
		n += f(*text++);
	return n;
}
