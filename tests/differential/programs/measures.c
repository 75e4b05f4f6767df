// Measures with units, floats all the way: decimal parser of its own, conversions, mean and spread, rounding, classes.
// stdin: 21.5C 70F 300K -4C 12.25C 1e2F\n
#include <math.h>
#include <stdio.h>
#include <string.h>

struct sample { double celsius; float rough; char unit; };

static const char *decimal(const char *s, double *out)
{
	double v = 0, scale = 1;
	int minus = *s == '-', digits = 0;
	s += minus;
	for (; *s >= '0' && *s <= '9'; s++, digits++)
		v = digits > 8 ? v : v * 10 + (*s - '0');
	if (*s == '.')
		for (s++; *s >= '0' && *s <= '9'; s++, digits++) {
			scale /= 10;
			v += (*s - '0') * scale;
		}
	if (digits && *s == 'e' && s[1] >= '0' && s[1] <= '9') {
		for (int e = s[1] - '0'; e > 0; e--)
			v *= 10;
		s += 2;
	}
	*out = minus ? -v : v;
	return digits ? s : NULL;
}

static int convert(struct sample *s, double v)
{
	switch (s->unit) {
	case 'C': s->celsius = v; break;
	case 'F': s->celsius = (v - 32) * 5 / 9; break;
	case 'K': s->celsius = v - 273.15; break;
	default: return 0;
	}
	s->rough = (float)s->celsius;
	return s->celsius >= -273.15;
}

static int class_of(double c)
{
	if (c > 1000)
		return 3;
	int rounded = (int)(c < 0 ? c - 0.5 : c + 0.5);
	if (rounded <= 0)
		return 0;
	if (rounded < 15)
		return 1;
	return rounded < 30 ? 2 : 3;
}

int main(void)
{
	char line[100];
	struct sample all[10];
	int n = 0, classes[4] = { 0 };
	double sum = 0, squares = 0;
	float low = 1e9f, high = -1e9f;
	if (!fgets(line, sizeof line, stdin))
		return 1;
	for (const char *s = line; *s && *s != '\n' && n < 10;) {
		double v;
		if (*s == ' ') {
			s++;
			continue;
		}
		if (!(s = decimal(s, &v)))
			return 2;
		all[n].unit = *s ? *s++ : 'C';
		if (!convert(&all[n], v))
			return 3;
		sum += all[n].celsius;
		squares += all[n].celsius * all[n].celsius;
		low = all[n].rough < low ? all[n].rough : low;
		high = all[n].rough > high ? all[n].rough : high;
		classes[class_of(all[n].celsius)]++;
		n++;
	}
	if (n < 2)
		return 4;
	double mean = sum / n, variance = (squares - n * mean * mean) / (n - 1);
	if (variance > 400)
		puts("wide spread");
	if (high - low > 50.0f)
		puts("wide range");
	if (mean != mean)
		puts("no mean");
	if (mean > 1e9)
		return 5;
	long tenths = (long)(mean * 10);
	printf("%d samples, mean %ld, classes %d %d %d %d\n", n, tenths, classes[0], classes[1], classes[2], classes[3]);
	return (unsigned char)tenths > 200;
}
