/* CREST's marks: CREST_int(x) makes the variable x an input, 0 at first. */
#ifndef CREST_H
#define CREST_H

#ifdef __cplusplus
extern "C" {
#endif

void __CrestUChar(unsigned char *x);
void __CrestUShort(unsigned short *x);
void __CrestUInt(unsigned *x);
void __CrestULong(unsigned long *x);
void __CrestULongLong(unsigned long long *x);
void __CrestChar(char *x);
void __CrestShort(short *x);
void __CrestInt(int *x);
void __CrestLong(long *x);
void __CrestLongLong(long long *x);
void __CrestFloat(float *x);
void __CrestDouble(double *x);

void __td_mark_zero(void *memory, unsigned long bytes, const char *name); /* the same, with a name */

#define CREST_unsigned_char(x) __td_mark_zero(&(x), sizeof(x), #x)
#define CREST_unsigned_short(x) __td_mark_zero(&(x), sizeof(x), #x)
#define CREST_unsigned_int(x) __td_mark_zero(&(x), sizeof(x), #x)
#define CREST_unsigned_long(x) __td_mark_zero(&(x), sizeof(x), #x)
#define CREST_unsigned_long_long(x) __td_mark_zero(&(x), sizeof(x), #x)
#define CREST_char(x) __td_mark_zero(&(x), sizeof(x), #x)
#define CREST_short(x) __td_mark_zero(&(x), sizeof(x), #x)
#define CREST_int(x) __td_mark_zero(&(x), sizeof(x), #x)
#define CREST_long(x) __td_mark_zero(&(x), sizeof(x), #x)
#define CREST_long_long(x) __td_mark_zero(&(x), sizeof(x), #x)
#define CREST_float(x) __td_mark_zero(&(x), sizeof(x), #x)
#define CREST_double(x) __td_mark_zero(&(x), sizeof(x), #x)

#ifdef __cplusplus
}
#endif

#endif
