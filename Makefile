# Tandem: build, test, install. `make` builds into build/; `make check` is the test run of the README;
# `make install PREFIX=/usr/local` copies it where others find it.
LLVM    := /usr/lib/llvm-19
HOSTCC  := clang-19
B       := build
PREFIX  := /usr/local
DESTDIR :=

WARN    := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
SANITIZE :=
HOSTFLAGS := -std=c17 -D_GNU_SOURCE $(WARN) -O2 -g -I. -Isrc -isystem $(LLVM)/include $(SANITIZE)
RTFLAGS := -std=c17 -D_GNU_SOURCE $(WARN) -O2 -g -fPIC -fvisibility=hidden -fno-stack-protector -I. -Iruntime

ROOMS   := base expr trace solve run
LIB_SRC := $(foreach r,$(ROOMS),$(wildcard src/$(r)/*.c))
LIB_OBJ := $(LIB_SRC:%.c=$(B)/%.o)
CLI_OBJ := $(patsubst %.c,$(B)/%.o,$(wildcard src/cli/*.c src/engine/*.c))
CC_OBJ  := $(patsubst %.c,$(B)/%.o,$(wildcard src/compile/*.c)) $(B)/src/base/err.o
RT_OBJ  := $(patsubst %.c,$(B)/%.o,$(wildcard runtime/*.c))
MODEL_OBJ := $(patsubst %.c,$(B)/%.o,$(wildcard models/*.c))
LIBS    := -lz3 -lelf -ljansson -lseccomp -lm
UNIT    := $(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/*.c))

all: $(if $(CLI_OBJ),$(B)/bin/tandem) $(B)/bin/tandem-cc $(B)/lib/tandem/tandem-rt.o $(B)/lib/tandem/libtandem-models.a $(B)/include/tandem.h

$(B)/bin/tandem: $(CLI_OBJ) $(LIB_OBJ)
	@mkdir -p $(@D)
	@echo "  LD $@"; $(HOSTCC) $(SANITIZE) $^ -o $@ $(LIBS)

$(B)/bin/tandem-cc: $(CC_OBJ)
	@mkdir -p $(@D)
	@echo "  LD $@"; $(HOSTCC) $(SANITIZE) $^ -o $@ -L$(LLVM)/lib -lLLVM-19

$(B)/lib/tandem/tandem-rt.o: $(RT_OBJ)
	@mkdir -p $(@D)
	@echo "  LD $@"; ld -r $^ -o $@

$(B)/lib/tandem/libtandem-models.a: $(MODEL_OBJ)
	@mkdir -p $(@D)
	@echo "  AR $@"; rm -f $@ && ar rcs $@ $^

$(B)/include/tandem.h: runtime/tandem.h
	@mkdir -p $(@D)
	cp $< $@

$(B)/src/%.o: src/%.c
	@mkdir -p $(@D)
	@echo "  CC $<"; $(HOSTCC) $(HOSTFLAGS) -MMD -MP -c $< -o $@

$(B)/runtime/%.o: runtime/%.c
	@mkdir -p $(@D)
	@echo "  CC $<"; $(HOSTCC) $(RTFLAGS) -MMD -MP -c $< -o $@

$(B)/models/%.o: models/%.c models/model.h $(B)/bin/tandem-cc
	@mkdir -p $(@D)
	@echo "  TANDEM-CC $<"; $(B)/bin/tandem-cc --tandem-models --tandem-verify -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -fPIC -ffunction-sections -I. -Imodels -c $< -o $@

$(B)/unit/%: tests/unit/%.c $(LIB_OBJ)
	@mkdir -p $(@D)
	@echo "  TEST $<"; $(HOSTCC) $(HOSTFLAGS) $< $(LIB_OBJ) -o $@ -lcmocka $(LIBS)

unit: $(UNIT)
	@for t in $(UNIT); do $$t > $$t.log 2>&1 || { cat $$t.log; exit 1; }; grep -E '^\[  PASSED' $$t.log; done

clean:
	rm -rf $(B)

.PHONY: all unit clean
-include $(shell find $(B) -name '*.d' 2>/dev/null)
