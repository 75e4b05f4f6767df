#include "object.h"
static uint32_t none[4];
static struct td_object nothing;
struct td_space __td_space = {none, 0, &nothing};
uint32_t object_at(uint64_t address) { (void)address; return 0; }
struct td_object *object_get(uint32_t number) { (void)number; return NULL; }
void report_raise(enum td_violation kind, uint64_t address, uint64_t size, bool write, uint32_t object)
{ (void)kind; (void)address; (void)size; (void)write; (void)object; }
void __td_born(void *l, void *a, void *b, void *c, void *d, void *e) { (void)l; (void)a; (void)b; (void)c; (void)d; (void)e; }
void __td_died(uint32_t n, void *a, void *b, void *c, void *d, void *e) { (void)n; (void)a; (void)b; (void)c; (void)d; (void)e; }
void __td_landed(uint32_t n) { (void)n; }
