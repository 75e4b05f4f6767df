/* Functions of all kinds of types, for unit_plan.c, which looks at their debug information and never runs them. */
#include <complex.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

enum color { RED, GREEN = -5, BLUE = 7 };
enum plain { NONE, SOME };
typedef struct { int a; struct { short q; union { int u; float f; }; }; } anonymous;
struct node { int value; struct node *next; const char *name; };
struct small { int x, y; };
struct big { double d[4]; char text[10]; };
struct bits { unsigned a : 3; int b : 5; unsigned long c : 33; enum color d : 4; };
struct flex { int n; int data[]; };
struct list { const struct list *next; const struct node *node; };
struct table { struct node nodes[12]; void *any; };
union either { int i; char *p; double d; };
struct __attribute__((packed)) odd { char c; int *p; short s; };
struct opaque;
struct base { int kind, size; };
struct derived { struct base base; int extra[8]; };
struct common { int kind; };
struct special { struct common common; int more; };
typedef struct { char x; int y; } nameless_shape;
struct buffer { char *text_end, *text; int *from, *append; };
struct line { char *at, *textend, *text; };
typedef int operation(int, int);
typedef operation *pointed;
typedef struct node node_type;

static int count;
int exported = 3;
const int limit = 3;
const short limits[3] = { 1, 2, 3 };
int table[3][4];
node_type nodes[2];
struct node *first_node;
static struct small pair;
char text[40];
int unchanged[2] = { 3, 4 }; /* nobody changes it */
static struct node *const fixed = nodes;
static pointed chosen;
static char *line_end, *line;

static int add(int a, int b) { return a + b + count; }
int multiply(int a, int b) { return a * b; }
static int other(long a, int b) { return (int)a + b; }

int integers(char a, signed char b, unsigned char c, short d, unsigned e, long f, uint64_t g, _Bool h, size_t i) { return a + b + c + d + (int)e + (int)f + (int)g + h + (int)i; }
int enums(enum color a, enum plain b) { return (int)a + (int)b; }
double floats(float a, double b, long double c, double complex d) { return a + b + (double)c + creal(d); }
struct crowd { char *a, *b, *c, *d, *e, *f; };
struct couple { char *a, *b; };
static int sum(struct node *n, int unused) { int s = 0; for (; n; n = n->next) s += n->value; return s; }
int by_value(struct small s, struct big b, double d) { static int calls; calls++; return s.x + (int)b.d[1] + (int)d + calls; }
int variadic(int n, ...) { va_list a; va_start(a, n); int s = 0; while (n-- > 0) s += va_arg(a, int); va_end(a); return s; }
int unused(int a, char *p, double d) { return 3; }
int bitty(struct bits *b, const struct flex *f, struct opaque *o) { return (int)b->a + f->n + !o; }
int strings(char *p, const char *q, char **all) { return *p + *q + **all; }
int arrays(int *p, int (*rows)[4], struct big *b) { return p[0] + rows[1][2] + (int)b->d[1]; }
int calls(pointed f, operation *g, int (*other_type)(long, int)) { return f(1, 2) + g(1, 2) + other_type(1, 2); }
int unions(union either e, union either *p) { return e.i + p->i; }
int recursive(struct list *l) { return l->node->value; }
int nameless(anonymous *p) { return p->u + p->q; }
int large(struct table *t) { return t->nodes[1].value; }
int crooked(struct odd *o) { return *o->p + o->s; }
int crowded(struct crowd *c, struct couple *p) { return *c->c + *p->b; }
int nothing(void) { if (chosen) return chosen(1, 2); return table[1][2] + text[1] + unchanged[text[2] & 1]; }
int limited(int i) { return limits[i]; }
static void silent(int *p) { *p = 1; }
struct big result(int x) { struct big b = {0}; b.d[0] = x; if (x > 3) { static long inner; inner++; b.d[1] = (double)inner; } return b; }
struct node *find(int value) { return value > 3 ? first_node : fixed; }
int within(const char *ptr, const char *end) { return ptr < end ? *ptr : 0; }
int copied(const short **fromP, const short *fromLim, char **to, char *toLim) { while (*fromP < fromLim && *to < toLim) *(*to)++ = (char)*(*fromP)++; return 0; }
int held(struct buffer *b) { return b->text < b->text_end ? *b->text : b->from == b->append; }
int split(const char *text, const char *delim) { return *text == *delim; }
int run_together(struct line *l) { return l->text < l->textend; }
int lined(void) { return line < line_end ? *line : 0; }
int endless(char *end, long *limit, void *stop) { return *end + (int)*limit + !stop; }
int taken_for_more(struct base *b) { return ((struct derived *)b)->extra[3]; }
int taken_as_it_is(struct base *b) { return b->kind; }
int nothing_more(struct common *b) { return b->kind; }
int knows(void *data) { return ((nameless_shape *)data)->y; }
int knows_not(void *data) { return data != 0; }
void fill(int i, char c) { table[i][0] = c; text[i] = c; first_node = nodes + i; count = i; line = text + i; line_end = line + 1; }

int words(char **words, int nwords) { return words[nwords - 1][0]; }
int total(const int *line, int lines) { return line[lines - 1]; }

int main(int argc, char **argv)
{
	struct node n = { argc, 0, argv[0] };
	struct small s = { 1, pair.y };
	int x = limit;
	silent(&x);
	chosen = argc > 1 ? add : multiply;
	struct bits b = {0};
	return sum(&n, 3) + by_value(s, result(argc), 2) + variadic(2, 3, 4) + unused(1, argv[0], 2) + calls(add, multiply, other) + (x > 3 ? bitty(&b, 0, 0) : 0) +
	       exported + find(3)->value + (x > 5 ? within(line, line_end) + lined() : 0) + (x > 4 ? crowded(0, 0) : 0);
}
