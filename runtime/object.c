#include "object.h"
static uint32_t none[4];
static struct td_object nothing;
struct td_space __td_space = {none, 0, &nothing};
uint32_t object_at(uint64_t address) { (void)address; return 0; }
struct td_object *object_get(uint32_t number) { (void)number; return NULL; }
bool object_again(enum td_object_kind k, uint64_t s, uint64_t z, const char *n) { (void)k; (void)s; (void)z; (void)n; return false; }
uint32_t object_add(enum td_object_kind k, uint64_t s, uint64_t z, const char *n) { (void)k; (void)s; (void)z; (void)n; return 0; }
void object_retire(uint32_t n) { (void)n; }
