/* Violations in words. A record comes from a program that has just gone wrong: trace_view calls report_check, and after that every
 * number in it is a valid index and every text ends; addresses and sizes may still be any number, so arithmetic on them is unsigned and
 * nothing is allocated by them. */
#include "trace/report.h"

#include "contract/object.h"
#include "expr/print.h"

#include <inttypes.h>
#include <string.h>

static const char *const keys[TD_VIOLATIONS] = {
	[TD_NO_VIOLATION] = "wrapping-size", /* of an unsigned sum */
#define VIOLATION(name, key, text) [TD_VIOLATION_##name] = key,
	TD_VIOLATION_TABLE(VIOLATION)
#undef VIOLATION
};

static const char *const texts[TD_VIOLATIONS] = {
#define VIOLATION(name, key, text) [TD_VIOLATION_##name] = text,
	TD_VIOLATION_TABLE(VIOLATION)
#undef VIOLATION
};

static const char *const kinds[TD_OBJECT_KINDS] = {
#define KIND(name, text) text,
	TD_OBJECT_KIND_TABLE(KIND)
#undef KIND
};

/* The storage as it is named in classes (tests/memory/README.md); none: it says nothing. */
static const char *const storages[TD_OBJECT_KINDS] = {
	[TD_OBJECT_HEAP] = "heap", [TD_OBJECT_STACK] = "stack", [TD_OBJECT_GLOBAL] = "global", [TD_OBJECT_ARGUMENT] = "argument",
	[TD_OBJECT_ENVIRONMENT] = "environment",
	[TD_OBJECT_MAPPING] = "mapping",
};

bool report_is_crash(const struct td_report *r)
{
	switch (r->violation) {
	case TD_VIOLATION_ALLOCATION: case TD_VIOLATION_SHIFT: case TD_VIOLATION_SIGNED: case TD_VIOLATION_LEAK: case TD_VIOLATION_UNINITIALISED: return false;
	default: return true;
	}
}

static const char *without_storage(const char *class)
{
	for (unsigned i = 0; i <= TD_OBJECT_KINDS; i++) {
		const char *storage = i < TD_OBJECT_KINDS ? storages[i] : "member";
		size_t n = storage ? strlen(storage) : 0;
		if (n && strncmp(class, storage, n) == 0 && class[n] == '-')
			return class + n + 1;
	}
	return class;
}

bool report_same_violation(const char *class, const char *other)
{
	return strcmp(without_storage(class), without_storage(other)) == 0;
}

/* --- soundness --- */

static bool stacks_fit(const struct td_report *r)
{
	for (unsigned i = 0; i < TD_WHERES; i++)
		if (r->stacks[i].count > TD_REPORT_FRAMES)
			return false;
	return true;
}

static bool modules_fit(const struct td_report *r)
{
	if (r->modules_count > TD_REPORT_MODULES)
		return false;
	for (uint32_t i = 0; i < r->modules_count; i++)
		if (r->modules[i].start > r->modules[i].end || !memchr(r->modules[i].path, 0, TD_REPORT_PATH_SIZE))
			return false;
	return true;
}

bool report_check(const struct td_report *r, uint32_t terms, uint32_t events)
{
	for (unsigned i = 0; i < TD_REPORT_TERMS; i++)
		if (r->terms[i] >= terms)
			return false;
	return r->violation > TD_NO_VIOLATION && r->violation < TD_VIOLATIONS && r->events <= events && r->object.kind < TD_OBJECT_KINDS &&
	       r->object.state <= TD_OBJECT_GONE && memchr(r->object.name, 0, TD_REPORT_NAME_SIZE) && memchr(r->text, 0, TD_REPORT_TEXT_SIZE) &&
	       stacks_fit(r) && modules_fit(r);
}

/* --- words --- */

const char *report_key(const struct td_report *r)
{
	return keys[r->violation];
}

const char *report_name(unsigned violation)
{
	return violation < TD_VIOLATIONS ? keys[violation] : "?";
}

const char *report_library(const struct td_report *r)
{
	return r->library && r->text[0] ? r->text : NULL;
}

const char *report_kind(const struct td_report *r)
{
	return kinds[r->object.kind];
}

void report_class(const struct td_report *r, struct str *out)
{
	bool leaves = r->violation == TD_VIOLATION_LOWER || r->violation == TD_VIOLATION_UPPER;
	const char *storage = !leaves ? NULL : r->member_size ? "member" : r->object.kind ? storages[r->object.kind] : NULL;
	if (storage)
		str_printf(out, "%s-", storage);
	str_add(out, report_key(r));
}

static void put_bytes(uint64_t n, struct str *out)
{
	str_printf(out, "%" PRIu64 " byte%s", n, n == 1 ? "" : "s");
}

static void put_where(uint64_t address, uint64_t start, uint64_t size, struct str *out)
{
	uint64_t end = start + size;
	if (address < start) {
		put_bytes(start - address, out);
		str_add(out, " before the start of ");
	} else if (address >= end) {
		put_bytes(address - end, out);
		str_add(out, " past the end of ");
	} else {
		str_printf(out, "at byte %" PRIu64 " of ", address - start);
	}
}

/* Where an address is, seen from the object. */
static void put_distance(const struct td_report *r, struct str *out)
{
	const struct td_report_object *o = &r->object;
	if (r->member_size) {
		put_where(r->address, r->member_start, r->member_size, out);
		str_printf(out, "an array of %" PRIu64 " bytes, ", r->member_size);
	}
	if (!o->kind)
		return;
	put_where(r->address, o->start, o->size, out);
	str_printf(out, "a %" PRIu64 "-byte %s", o->size, report_kind(r));
	if (o->name[0]) {
		str_add(out, " '");
		print_ascii(o->name, out);
		str_add(out, "'");
	}
}

/* Of a crash one knows the address, if it was one, but not how many bytes. */
static bool is_access(const struct td_report *r)
{
	return r->violation <= TD_VIOLATION_WILD && (r->bytes || r->address || r->violation == TD_VIOLATION_NULL);
}

void report_headline(const struct td_report *r, struct str *out)
{
	bool frees = r->violation == TD_VIOLATION_DOUBLE_FREE || r->violation == TD_VIOLATION_INVALID_FREE || r->violation == TD_VIOLATION_INTERIOR_FREE;
	report_class(r, out);
	str_add(out, ": ");
	if (is_access(r)) {
		str_add(out, r->write ? "write" : "read");
		if (r->bytes) {
			str_add(out, " of ");
			put_bytes(r->bytes, out);
		}
		str_printf(out, " at 0x%" PRIx64, r->address);
	} else {
		str_add(out, texts[r->violation]);
		if (frees || r->address)
			str_printf(out, ", 0x%" PRIx64, r->address);
		if (r->bytes)
			str_printf(out, ", %" PRIu64 " bytes", r->bytes);
	}
	if ((r->object.kind || r->member_size) && (is_access(r) || frees)) {
		str_add(out, ", ");
		put_distance(r, out);
	}
	if (r->text[0] && !report_library(r)) {
		str_add(out, ": ");
		print_ascii(r->text, out);
	}
	if (r->thread)
		str_printf(out, " (thread %u)", r->thread);
}

void report_object(const struct td_report *r, struct str *out)
{
	const struct td_report_object *o = &r->object;
	str_add(out, o->kind == TD_OBJECT_HEAP ? "block" : report_kind(r));
	if (o->name[0]) {
		str_add(out, " '");
		print_ascii(o->name, out);
		str_add(out, "'");
	}
	str_add(out, " of ");
	put_bytes(o->size, out);
	str_printf(out, " [0x%" PRIx64 ",0x%" PRIx64 ")", o->start, o->start + o->size);
	if (o->place)
		str_printf(out, " declared in line %" PRIu32, TD_PLACE_LINE(o->place));
}
