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
RTFLAGS := -std=c17 -D_GNU_SOURCE $(WARN) -O2 -g -fPIC -fvisibility=hidden -fno-stack-protector -fno-omit-frame-pointer -I. -Iruntime

ROOMS   := base expr trace solve run testcase search store learn unit
LIB_SRC := $(foreach r,$(ROOMS),$(wildcard src/$(r)/*.c))
LIB_OBJ := $(LIB_SRC:%.c=$(B)/%.o)
CLI_OBJ := $(patsubst %.c,$(B)/%.o,$(wildcard src/cli/*.c src/engine/*.c))
# tandem-cc, and what it has do the work, which alone needs LLVM.
DRIVER  := driver externals jobs options response memory
BASE_OBJ := $(B)/src/base/err.o $(B)/src/base/fs.o $(B)/src/base/mem.o $(B)/src/base/str.o
ENGINE_OBJ := $(patsubst %.c,$(B)/%.o,$(wildcard src/engine/*.c))
CC_OBJ  := $(DRIVER:%=$(B)/src/compile/%.o) $(BASE_OBJ)
WEAVE_OBJ := $(patsubst %.c,$(B)/%.o,$(filter-out src/compile/driver.c,$(wildcard src/compile/*.c))) $(BASE_OBJ)
RT_OBJ  := $(patsubst %.c,$(B)/%.o,$(wildcard runtime/*.c))
MODEL_OBJ := $(patsubst %.c,$(B)/%.o,$(filter-out models/fuzz.c,$(wildcard models/*.c)))
LIBS    := -lz3 -lsqlite3 -lcadical -lstdc++ -ldw -lelf -ljansson -lseccomp -lzstd -lm
HEADERS := $(B)/include/tandem.h $(patsubst include/%,$(B)/include/%,$(wildcard include/*.h include/*/*.h))
UNIT    := $(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/*.c))

all: $(if $(CLI_OBJ),$(B)/bin/tandem) $(B)/bin/tandem-cc $(B)/lib/tandem/tandem-weave $(B)/lib/tandem/tandem-rt.o $(B)/lib/tandem/libtandem-models.a $(B)/lib/tandem/libtandem-fuzz.a $(HEADERS)

$(B)/bin/tandem: $(CLI_OBJ) $(LIB_OBJ)
	@mkdir -p $(@D)
	@echo "  LD $@"; $(HOSTCC) $(SANITIZE) $^ -o $@ $(LIBS)

$(B)/bin/tandem-cc: $(CC_OBJ)
	@mkdir -p $(@D)
	@echo "  LD $@"; $(HOSTCC) $(SANITIZE) $^ -o $@

$(B)/lib/tandem/tandem-weave: $(WEAVE_OBJ)
	@mkdir -p $(@D)
	@echo "  LD $@"; $(HOSTCC) $(SANITIZE) $^ -o $@ -L$(LLVM)/lib -lLLVM-19

$(B)/lib/tandem/tandem-rt.o: $(RT_OBJ)
	@mkdir -p $(@D)
	@echo "  LD $@"; ld -r $^ -o $@ && objcopy --localize-hidden --rename-section .text=__td_code --rename-section .bss=__td_memory $@

$(B)/lib/tandem/libtandem-models.a: $(MODEL_OBJ)
	@mkdir -p $(@D)
	@echo "  AR $@"; rm -f $@ && ar rcs $@ $^

# Taken only by a program that has no main.
$(B)/lib/tandem/libtandem-fuzz.a: $(B)/models/fuzz.o
	@mkdir -p $(@D)
	@echo "  AR $@"; rm -f $@ && ar rcs $@ $^

$(B)/include/tandem.h: runtime/tandem.h
	@mkdir -p $(@D)
	@cp $< $@

$(B)/include/%.h: include/%.h
	@mkdir -p $(@D)
	@cp $< $@

$(B)/src/%.o: src/%.c
	@mkdir -p $(@D)
	@echo "  CC $<"; $(HOSTCC) $(HOSTFLAGS) -MMD -MP -c $< -o $@

$(B)/runtime/%.o: runtime/%.c
	@mkdir -p $(@D)
	@echo "  CC $<"; $(HOSTCC) $(RTFLAGS) -MMD -MP -c $< -o $@

$(B)/models/%.o: models/%.c $(wildcard models/*.h) $(B)/bin/tandem-cc $(B)/lib/tandem/tandem-weave
	@mkdir -p $(@D)
	@echo "  TANDEM-CC $<"; $(B)/bin/tandem-cc --tandem-models --tandem-verify -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -fPIC -ffunction-sections -I. -Imodels -c $< -o $@

# An archive, so that a test can include one of its files and see what is static there.
$(B)/src/compile/libcompile.a: $(filter-out $(B)/src/compile/weaver.o,$(WEAVE_OBJ))
	@rm -f $@ && ar rcs $@ $^

$(B)/unit/compile_%: tests/unit/compile_%.c $(B)/src/compile/libcompile.a
	@mkdir -p $(@D)
	@echo "  TEST $<"; $(HOSTCC) $(HOSTFLAGS) $< -o $@ $(B)/src/compile/libcompile.a -lcmocka -L$(LLVM)/lib -lLLVM-19

# The runtime without what would take over the test's own allocator.
$(B)/unit/runtime_%: tests/unit/runtime_%.c $(filter-out $(B)/runtime/malloc.o,$(RT_OBJ))
	@mkdir -p $(@D)
	@echo "  TEST $<"; $(HOSTCC) $(HOSTFLAGS) -Iruntime $^ -o $@ -lcmocka

$(B)/unit/engine_%: tests/unit/engine_%.c $(LIB_OBJ) $(ENGINE_OBJ)
	@mkdir -p $(@D)
	@echo "  TEST $<"; $(HOSTCC) $(HOSTFLAGS) $^ -o $@ -lcmocka $(LIBS)

# Commands are called like anything else; what is left out is their table.
$(B)/unit/cli_%: tests/unit/cli_%.c $(LIB_OBJ) $(filter-out $(B)/src/cli/main.o,$(CLI_OBJ))
	@mkdir -p $(@D)
	@echo "  TEST $<"; $(HOSTCC) $(HOSTFLAGS) $^ -o $@ -lcmocka $(LIBS)

# A stock that forgets: the test is between it and the engine.
$(B)/unit/engine_forgets: tests/unit/engine_forgets.c $(LIB_OBJ) $(ENGINE_OBJ) $(B)/unit-programs/sign
	@mkdir -p $(@D)
	@echo "  TEST $<"; $(HOSTCC) $(HOSTFLAGS) -DPROGRAM='"$(abspath $(B))/unit-programs/sign"' $< $(LIB_OBJ) $(ENGINE_OBJ) \
		-Wl,--wrap=stock_add,--wrap=stock_input,--wrap=stock_trace -o $@ -lcmocka $(LIBS)

# Programs that tests look at, built by tandem-cc.
$(B)/unit-programs/%: tests/unit/programs/%.c $(B)/bin/tandem-cc $(B)/lib/tandem/tandem-weave $(B)/lib/tandem/tandem-rt.o $(B)/lib/tandem/libtandem-models.a
	@mkdir -p $(@D)
	@echo "  TANDEM-CC $<"; $(B)/bin/tandem-cc -g $< -o $@

$(B)/unit/search_graph $(B)/unit/search_sites: $(B)/unit/search_%: tests/unit/search_%.c $(LIB_OBJ) $(B)/unit-programs/%
	@mkdir -p $(@D)
	@echo "  TEST $<"; $(HOSTCC) $(HOSTFLAGS) -DPROGRAM='"$(abspath $(B))/unit-programs/$*"' $< $(LIB_OBJ) -o $@ -lcmocka $(LIBS)

# Where such programs are, for tests of units.
UNIT_PROGRAMS := $(patsubst tests/unit/programs/%.c,$(B)/unit-programs/%,$(wildcard tests/unit/programs/*.c))

$(filter $(B)/unit/unit_%,$(UNIT)): $(B)/unit/unit_%: tests/unit/unit_%.c $(LIB_OBJ) $(UNIT_PROGRAMS)
	@mkdir -p $(@D)
	@echo "  TEST $<"; $(HOSTCC) $(HOSTFLAGS) -DPROGRAMS='"$(abspath $(B))/unit-programs"' $< $(LIB_OBJ) -o $@ -lcmocka $(LIBS)

$(B)/unit/trace_types: tests/unit/trace_types.c $(LIB_OBJ) $(B)/unit-programs/plan
	@mkdir -p $(@D)
	@echo "  TEST $<"; $(HOSTCC) $(HOSTFLAGS) -DPROGRAM='"$(abspath $(B))/unit-programs/plan"' $< $(LIB_OBJ) -o $@ -lcmocka $(LIBS)

$(B)/unit/%: tests/unit/%.c $(LIB_OBJ)
	@mkdir -p $(@D)
	@echo "  TEST $<"; $(HOSTCC) $(HOSTFLAGS) $< $(LIB_OBJ) -o $@ -lcmocka $(LIBS)

unit: $(UNIT)
	@for t in $(UNIT); do $$t > $$t.log 2>&1 || { cat $$t.log; exit 1; }; grep -E '^\[  PASSED' $$t.log; done

# The groups of tests one by one, and all of them (`make check`): see tests/check.sh.
check: all $(UNIT)
	@BUILD=$(abspath $(B)) tests/check.sh

rooms e2e predict models memory terms fault: all
	@BUILD=$(abspath $(B)) tests/check.sh $@

# Measurements, never part of the tests: bench/*.sh, and these programs.
bench: all $(B)/bench/forkserver $(B)/bench/solver

$(B)/bench/%: bench/%.c $(LIB_OBJ) $(filter-out $(B)/src/cli/%,$(CLI_OBJ))
	@mkdir -p $(@D)
	@echo "  LD $@"; $(HOSTCC) $(HOSTFLAGS) $^ -o $@ $(LIBS)

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/tandem $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/share/man/man1
	install $(B)/bin/tandem $(B)/bin/tandem-cc $(DESTDIR)$(PREFIX)/bin
	install $(B)/lib/tandem/tandem-weave $(DESTDIR)$(PREFIX)/lib/tandem
	install -m 644 $(B)/lib/tandem/tandem-rt.o $(B)/lib/tandem/*.a $(DESTDIR)$(PREFIX)/lib/tandem
	install -m 644 runtime/tandem.h include/*.h $(DESTDIR)$(PREFIX)/include
	install -d $(DESTDIR)$(PREFIX)/include/klee
	install -m 644 include/klee/klee.h $(DESTDIR)$(PREFIX)/include/klee
	tools/make-man $(B) $(B)/man
	install -m 644 $(B)/man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1

clean:
	rm -rf $(B)

.PHONY: all unit check rooms e2e predict models memory terms fault bench install clean
-include $(shell find $(B) -name '*.d' 2>/dev/null)
