/* What a digit is, without branches on which one. */
#ifndef TANDEM_MODELS_DIGIT_H
#define TANDEM_MODELS_DIGIT_H

static inline int is_digit(char c)
{
	return (unsigned)(c - '0') < 10;
}

/* Its value, letters go on from 9; if it is none of the base, something that is not below it. */
static inline unsigned digit_value(unsigned c, unsigned base)
{
	if (base <= 10) /* the term of a number is a sum of these: short, for most of them */
		return c - '0';
	unsigned number = c - '0', letter = (c | 32u) - 'a', is_number = -(number <= 9u), is_letter = -(letter <= 25u);
	return (number & is_number) | ((letter + 10) & is_letter) | (99 & ~(is_number | is_letter));
}

#endif
