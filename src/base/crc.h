/* CRC-32 as in zlib, gzip and PNG: tells a damaged file from a sound one, and anybody can compute it. */
#ifndef TANDEM_BASE_CRC_H
#define TANDEM_BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

uint32_t crc_of(const void *bytes, size_t size);

#endif
