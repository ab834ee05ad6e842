# The referee for ALLEGRA bots. `make help` lists the targets.

VERSION := 0.1.0
RELEASED := November 18, 2026
OBJCOPY ?= objcopy
FUZZ_SECONDS ?= 60
FUZZ_SEED ?= $(shell date +%s)
SOAK_MATCHES ?= 2000
SOAK_JOBS ?= 10000
LANGUAGES ?=
ONLY ?=
SANITIZE ?=
V ?=

# The folder of everything that is made. Only `make O=FOLDER` sets it: an environment may have an O.
ifneq ($(origin O),command line)
O := build
endif
ifneq ($(words $(O)),1)
$(error O takes one folder without blanks in its name, not `$(O)`)
endif

# `make CROSS=aarch64-linux-gnu-` takes the compiler of that name and its tools.
ifdef CROSS
CC := $(CROSS)gcc
AR := $(CROSS)ar
OBJCOPY := $(CROSS)objcopy
endif

# The rooms, lowest first. A room is a folder of referee/ and may use itself and the rooms below it.
# A file belongs to the room of its folder, so no list of files is needed.
ROOMS := base game value wire sandbox bot match tournament web serve cli
DOWN_base := base
DOWN_game := game $(DOWN_base)
DOWN_value := value $(DOWN_game)
DOWN_wire := wire $(DOWN_value)
DOWN_sandbox := sandbox $(DOWN_wire)
DOWN_bot := bot $(DOWN_sandbox)
DOWN_match := match $(DOWN_bot)
DOWN_tournament := tournament $(DOWN_match)
DOWN_web := web $(DOWN_tournament)
DOWN_serve := serve $(DOWN_web)
DOWN_cli := cli $(DOWN_serve)
DOWN_bots := bots $(DOWN_wire)

# The libraries of each room, by their pkg-config names.
PACKAGES_base := libsodium
PACKAGES_wire := yajl
PACKAGES_sandbox := libseccomp
PACKAGES_bot := libevent
PACKAGES_match := libzstd
PACKAGES_tournament := libevent
PACKAGES_serve := libevent libevent_openssl openssl zlib
PACKAGES_cli := openssl

# Bots in C: `greedy` is bots/greedy/greedy.c. All other files of bots/ make up an archive that the
# bots share and that needs only the public library.
BOTS := random greedy strong negotiator

# Small programs that scripts in tests/whole run: `deal_vectors` is tests/whole/deal_vectors.c.
HELPERS_base := deal_vectors
HELPERS_game := match_events
HELPERS_bot := bot_holder
HELPERS_wire := transcript play_example
HELPERS_tournament := rating_vectors sample_report
HELPERS_bots := card_reader

# Scripts that test whole programs. BUILD in the environment names the build folder.
SCRIPTS := deal_vectors.sh cli.sh mistakes.py library.sh example.sh bots.sh languages.py protocol.py \
	python_module.py \
	explain.py variants.py protocol_facts.py daemon_protocol.py play.py signals.py replay.py \
	review.py faults_again.py check.py report.py texts.py rating.py sandbox.sh tournament.py \
	tournament_store.py replay_bot.py forged_records.py feed.py batch.py gearman.py \
	compare.py crash.py power_cut.py clock.py hostile.py soak.py viewer.py person.py clients.py \
	serve_pages.py serve_people.py serve_privacy.py serve_organise.py serve_trial.py serve_ladder.py serve_crash.py \
	serve_damage.py \
	serve_soak.py serve_class.py remote.py serve_load.py serve_limits.py service.sh serve_hostile.py serve_files.py \
	secrets.py forgeries.py \
	serve_tls.py manuals.py install.py commands.py portability.py house.py

# Benchmarks and fuzz targets by room: `game` is tests/bench/bench_game.c, `text` is
# tests/fuzz/fuzz_text.c.
BENCHES_base := deal_random
BENCHES_game := game
BENCHES_bot := spawn contain
BENCHES_match := referee clock replay review strength
BENCHES_tournament := tournament compare coverage peek
BENCHES_bots := skill search
BENCHES_serve := serve ladder
BENCH_SCRIPTS := tests/bench/gearman_bench.py tests/bench/bench_python.py
FUZZES_base := text
FUZZES_game := apply position
FUZZES_wire := bot_line feed
FUZZES_match := match replay log_zstd
FUZZES_tournament := config store gearman
FUZZES_serve := archive control ledger

# Bots that benchmarks run: `slow_bot` is tests/bench/slow_bot.c.
BENCH_BOTS_base := first_bot slow_bot channel_bot

# The files of tests/support that the fuzz targets of a room need.
FUZZ_SUPPORT_game := corner_cases invariants invariants_view event_tracker \
	event_tracker_apply event_tracker_cards
FUZZ_SUPPORT_match := json_mutate
FUZZ_SUPPORT_tournament := json_mutate journal_seal
FUZZ_SUPPORT_serve := json_mutate journal_seal

# Debian packages: for everything, and only for lint and fuzz.
DEPS := gcc libc6-dev make pkg-config libevent-dev libyajl-dev libcriterion-dev libsodium-dev \
	libseccomp-dev libzstd-dev libssl-dev zlib1g-dev zstd openssl bubblewrap python3 jq bsdextrautils tmux \
	gdb strace e2fsprogs lowdown mandoc zsh fish
# For blocks that are played elsewhere.
DEPS += parallel gearman-job-server gearman-tools iproute2
DEPS_LINT := clang clang-format clang-tidy libclang-rt-dev
# For tests in a browser: Debian packages as COMMAND:PACKAGE, because node often comes from
# elsewhere, and npm packages. If they are not available, these tests are skipped.
DEPS_BROWSER := chromium:chromium node:nodejs npm:npm
DEPS_NODE := playwright-core@1 axe-core@4

BUILD := $(O)$(if $(SANITIZE),/sanitize)
MANUALS := $(BUILD)/man/complete
comma := ,
SANITIZERS := $(if $(SANITIZE),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer)
# Warnings are errors where the sources are changed. Whoever only builds a tarball may have a compiler with other ones.
WERROR ?= $(if $(wildcard .git),-Werror)
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(WERROR)
# Not with sanitizers: their checks hide the width of a value from gcc. clang would
# also warn about signs.
WIDTH_WARNINGS := $(if $(SANITIZE),,-Wconversion$(if $(findstring clang,$(CC)), -Wno-sign-conversion))
DEFINES := -D_GNU_SOURCE -DREFEREE_VERSION='"$(VERSION)"' -DREFEREE_DATE='"$(RELEASED)"'
# Suites and fuzz targets spend their time in the rooms, and are compiled in half the time without
# optimization.
optimization = $(if $(filter test_% fuzz_%,$(notdir $(1))),-O0,-O2)
COMPILE = $(CC) -std=c17 $(call optimization,$<) -g $(WARNINGS) $(WIDTH_WARNINGS) $(SANITIZERS) $(DEFINES) \
	$(CPPFLAGS) $(CFLAGS)
LINK = $(CC) $(SANITIZERS) $(CFLAGS) $(LDFLAGS)
# Suites are many: where there is the gold linker, it takes a third of the time. It leaves LTO to the usual one.
GOLD := $(if $(findstring -fuse-ld,$(LDFLAGS))$(findstring -flto,$(CFLAGS)),,$(shell command -v ld.gold))
LINK_TEST = $(LINK) $(if $(GOLD),-fuse-ld=gold)

# Runs pkg-config when a recipe needs it, not when this file is read, because `make deps` may have
# to install it first. $(1) is --cflags or --libs, $(2) the packages.
package = $(if $(strip $(2)),$(or $(shell pkg-config $(1) $(2)),$(if \
	$(shell pkg-config --exists $(2) && echo found),,$(error $(2) not found: run `make deps`))))

.PHONY: all help check check-sanitized check-build check-suites test test-suites unchanged tournament deps \
	deps-lint bench bench-run fuzz fuzz-run lint lint-run format clean languages library portable check-portability \
	check-languages check-languages-run \
	deps-browser deps-nginx manuals pictures
.DELETE_ON_ERROR:

QUIET := $(if $(V),,@)

# For a recursive make: all cores, unless the user gives -j.
PARALLEL = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

all: $(BUILD)/referee library $(BOTS:%=$(BUILD)/bots/%) $(BUILD)/bots/c
	@:

library: $(BUILD)/lib/liballegra.a $(BUILD)/lib/liballegra.so

help:
	@echo 'make             build build/referee, build/lib/liballegra.a and .so, and build/bots/'
	@echo 'make library     build only liballegra, which needs nothing but a compiler'
	@echo 'make deps        install missing Debian packages; with LANGUAGES=all or'
	@echo '                 LANGUAGES="rust go" also those of the starter bots'
	@echo 'make languages   build the starter bots of all installed languages'
	@echo 'make check-languages  test these starter bots'
	@echo 'make check       run all tests'
	@echo 'make check-sanitized  run all tests with ASan and UBSan'
	@echo 'make check-portability  build and test with other compilers, C libraries and machines'
	@echo 'make portable    run the tests of the rules where there is no Criterion, such as musl'
	@echo 'make test T=text run the suites, or the tests of a suite, whose name contains `text`'
	@echo 'make tournament  play the bundled round robin: standings and report'
	@echo 'make bench       run the benchmarks; with ONLY=game those that start with `game`'
	@echo 'make fuzz        fuzz each target for FUZZ_SECONDS ($(FUZZ_SECONDS))'
	@echo 'make value       train the networks that judge a table, one per edition, by self-play'
	@echo 'make lint        run clang-format and clang-tidy'
	@echo 'make format      format the code'
	@echo 'make manuals     write the manual pages to build/man'
	@echo 'make pictures    record the session and take the picture that the README shows'
	@echo 'make install     install to DESTDIR and PREFIX ($(PREFIX)); make uninstall removes it'
	@echo 'make dist        pack the sources: build/referee-$(VERSION).tar.gz'
	@echo 'make deb         make Debian packages in build/deb'
	@echo 'make check-packages  install these in a root of their own, test and purge them (as root)'
	@echo 'make clean       remove build/'
	@echo 'O=FOLDER         builds there instead of in build/, from sources that may be read-only'
	@echo 'CROSS=PREFIX-    builds with PREFIX-gcc, such as aarch64-linux-gnu-gcc'
	@echo 'SANITIZE=1       builds with ASan and UBSan, in build/sanitize'
	@echo 'V=1              shows the commands'

# The networks of referee/value, trained from nothing, or with FROM=de2026 from the network of an
# edition. The trainer is compiled for this machine, because training takes a while.
FROM ?=
EDITIONS := de2026 en2020 nl2023 fr2020 es2020
VALUE_MATCHES ?= 350000
TRAIN_SOURCES := referee/value/train.c $(patsubst %,referee/value/%.c,network network_inputs \
	network_editions outlook glance offer swift swift_knock estimate) \
	$(wildcard referee/value/weights/*.c)

$(BUILD)/train: $(TRAIN_SOURCES) $(BUILD)/lib/liballegra.a
	@mkdir -p $(@D)
	@echo '  link     $@'
	$(QUIET)$(CC) -std=c17 -O3 -march=native -ffast-math $(WARNINGS) $(DEFINES) -Ireferee -o $@ \
		$(TRAIN_SOURCES) $(BUILD)/lib/liballegra.a -lm

.PHONY: value $(EDITIONS:%=value-%)
value: $(EDITIONS:%=value-%)
$(EDITIONS:%=value-%): value-%: $(BUILD)/train
	$(BUILD)/train $* $(VALUE_MATCHES) $(FROM) >$(BUILD)/weights_$*.c
	mv $(BUILD)/weights_$*.c referee/value/weights/

# Rooms: $(1) is the name of the room.
define room_rules
FILES_$(1) := $(filter-out referee/cli/main.c referee/value/train.c,$(wildcard referee/$(1)/*.c referee/$(1)/*/*.c))
$$(BUILD)/lib/lib$(1).a: $$(FILES_$(1):%.c=$(BUILD)/objects/%.o)
$$(BUILD)/lib/lib$(1).list: CONTENT = $$(FILES_$(1))
endef

$(foreach room,$(ROOMS),$(eval $(call room_rules,$(room))))
FILES_bots := $(filter-out $(foreach bot,$(BOTS),bots/$(bot)/$(bot).c) bots/c/bot.c, \
	$(wildcard bots/*/*.c))
$(BUILD)/lib/libbots.a: $(FILES_bots:%.c=$(BUILD)/objects/%.o)
$(BUILD)/lib/libbots.list: CONTENT = $(FILES_bots)

# What a program of room $(1) links: sources, archives and packages.
linked_files = $(foreach room,$(DOWN_$(1)),$(FILES_$(room)))
linked_archives = $(patsubst %,$(BUILD)/lib/lib%.a,$(DOWN_$(1)))
linked_packages = $(foreach room,$(DOWN_$(1)),$(PACKAGES_$(room)))

SUPPORT := $(patsubst %.c,$(BUILD)/objects/%.o,$(wildcard tests/support/*.c))
LIBSUPPORT := $(BUILD)/lib/support/libsupport.a

# Programs: $(1) is the room, $(2) the program, $(3) its source without .c, $(4) further packages,
# $(5) further archives. Only what is in tests/ may use those of tests/support.
define program
OBJECTS += $(BUILD)/objects/$(3).o
$(2): $(BUILD)/objects/$(3).o $(5) $(call linked_archives,$(1))
	@mkdir -p $$(@D)
	@echo '  link     $$@'
	$(QUIET)$(if $(filter-out tests/bench/%,$(filter tests/%,$(3))),$$(LINK_TEST),$$(LINK)) -o $$@ $$^ $$(call package,--libs,$(call linked_packages,$(1)) $(4)) -lm
endef

test_program = $(call program,$(1),$(BUILD)/tests/$(2),tests/$(1)/$(2),criterion,$(LIBSUPPORT))
helper_program = $(call program,$(1),$(BUILD)/tests/$(2),tests/whole/$(2),,$(LIBSUPPORT))
bench_program = $(call program,$(1),$(BUILD)/bench/bench_$(2),tests/bench/bench_$(2),,$(LIBSUPPORT))
bench_bot_program = $(call program,$(1),$(BUILD)/bench/$(2),tests/bench/$(2),,$(LIBSUPPORT))

define bot_program
OBJECTS += $(BUILD)/objects/bots/$(1)/$(1).o
$(BUILD)/bots/$(1): $(BUILD)/objects/bots/$(1)/$(1).o $(BUILD)/lib/libbots.a \
		$(BUILD)/lib/libvalue.a $(BUILD)/lib/liballegra.a
	@mkdir -p $$(@D)
	@echo '  link     $$@'
	$(QUIET)$$(LINK) -o $$@ $$^ -lm
endef

# A fuzz target is built from the sources of its rooms, because they must be instrumented too.
define fuzz_program
.PHONY: $(O)/fuzz/fuzz_$(2)
$(O)/fuzz/fuzz_$(2): tests/fuzz/fuzz_$(2).c $(FUZZ_SUPPORT_$(1):%=tests/support/%.c) \
		$(call linked_files,$(1))
	@mkdir -p $$(@D)
	@echo '  link     $$@'
	$(QUIET)clang -std=c17 -O1 -g $(WARNINGS) -fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=all $(DEFINES) -Ireferee -Itests -o $$@ $$^ \
		$$(call package,--cflags --libs,$(call linked_packages,$(1)))
endef

# A test belongs to the room of its folder in tests/. It links its own room and those below, so a
# call upwards does not link.
TEST_ROOMS := $(ROOMS) bots
$(foreach room,$(TEST_ROOMS),$(eval TESTS_$(room) := $(patsubst \
	tests/$(room)/%.c,%,$(wildcard tests/$(room)/test_*.c))))

each = $(foreach room,$(TEST_ROOMS),$(foreach name,$($(1)_$(room)), \
	$(eval $(call $(2),$(room),$(name)))))

$(eval $(call program,cli,$(BUILD)/referee,referee/cli/main))
$(foreach bot,$(BOTS),$(eval $(call bot_program,$(bot))))
$(call each,TESTS,test_program)
$(call each,HELPERS,helper_program)
$(call each,BENCHES,bench_program)
$(call each,BENCH_BOTS,bench_bot_program)
$(call each,FUZZES,fuzz_program)

TESTS := $(foreach room,$(TEST_ROOMS),$(TESTS_$(room):%=$(BUILD)/tests/%))
HELPERS := $(foreach room,$(TEST_ROOMS),$(HELPERS_$(room):%=$(BUILD)/tests/%))
BENCH_BOTS := $(BENCH_BOTS_base:%=$(BUILD)/bench/%)
BENCHES := $(foreach room,$(TEST_ROOMS),$(BENCHES_$(room):%=$(BUILD)/bench/bench_%))
FUZZES := $(foreach room,$(ROOMS),$(FUZZES_$(room)))
HOSTILE_PROGRAMS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/hostile/*.c))
FUZZ_OBJECTS := $(FUZZES:%=$(BUILD)/objects/tests/fuzz/fuzz_%.o)
OBJECTS += $(foreach room,$(TEST_ROOMS),$(FILES_$(room):%.c=$(BUILD)/objects/%.o)) $(SUPPORT) \
	$(FUZZ_OBJECTS)

# The public library for bots in C: the game room and base/text. In the archive they are one object
# in which all names but allegra_* are local; the shared library exports the same names. Both are
# made from the same objects: of code for any address, and never of LTO, which objcopy cannot read.
ABI := 1
SHARED := $(BUILD)/lib/liballegra.so.$(ABI)
LIBRARY_FLAGS := -fPIC -fno-semantic-interposition -fno-lto
LIBRARY_OBJECTS := $(patsubst %.c,$(BUILD)/objects/library/%.o,$(FILES_game) referee/base/text.c)
$(BUILD)/lib/liballegra.a: $(BUILD)/objects/allegra.o
$(BUILD)/lib/liballegra.list: CONTENT = $(FILES_game)
$(BUILD)/objects/allegra.o: $(LIBRARY_OBJECTS) $(BUILD)/lib/liballegra.list
	@echo '  link     $@'
	$(QUIET)$(CC) $(CFLAGS) -fno-lto -nostdlib -r -o $@ $(filter %.o,$^)
	$(QUIET)$(OBJCOPY) --wildcard --keep-global-symbol='allegra_*' $@

$(SHARED): $(LIBRARY_OBJECTS) $(BUILD)/lib/liballegra.list referee/game/liballegra.map
	@echo '  link     $@'
	$(QUIET)$(LINK) -shared -Wl,-soname,$(@F) -Wl,-Bsymbolic $(if $(SANITIZE),,-Wl$(comma)-z$(comma)defs) \
		-Wl,--version-script=referee/game/liballegra.map -o $@ $(filter %.o,$^)

$(BUILD)/lib/liballegra.so: $(SHARED)
	@ln -sf $(<F) $@

$(LIBSUPPORT): $(SUPPORT)
$(LIBSUPPORT:.a=.list): CONTENT = $(SUPPORT)

$(BUILD)/lib/%.a: $(BUILD)/flags.list $(BUILD)/lib/%.list
	@mkdir -p $(@D)
	@rm -f $@
	@echo '  archive  $@'
	$(QUIET)$(AR) rcs $@ $(filter %.o,$^)

# A file that holds $(CONTENT) and changes only with it. So all sources are recompiled when the
# flags change, an archive is rebuilt when a file joins or leaves its room, and an edit of this
# Makefile alone rebuilds nothing.
$(BUILD)/flags.list: CONTENT = $(COMPILE) $(LIBRARY_FLAGS) $(LINK)
$(BUILD)/%.list: unchanged
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(CONTENT))' >$@.new
	@cmp -s $@.new $@ || cp $@.new $@; rm $@.new

# The flags of a source: the libraries of its room in referee/; in bots/ the public header, the
# room value and each other; everything in tests/.
room_of = $(word 2,$(subst /, ,$(1)))
flags_referee = -Ireferee $(call package,--cflags,$(PACKAGES_$(call room_of,$(1))))
flags_bots = -Ireferee/game -Ireferee -Ibots
flags_tests = -Ireferee $(flags_bots) -Itests $(call package,--cflags,criterion)
source_flags = $(call flags_$(firstword $(subst /, ,$(1))),$(1))

# These embed files by an assembler line, whose names LTO does not see.
EMBEDDING := referee/web/viewer.c referee/web/pages.c referee/cli/explain.c

$(OBJECTS): $(BUILD)/objects/%.o: %.c $(BUILD)/flags.list
	@mkdir -p $(@D)
	@echo '  compile  $(if $(SANITIZE),[sanitize] )$<'
	$(QUIET)$(COMPILE) $(call source_flags,$<) $(if $(filter $<,$(EMBEDDING)),-fno-lto) -MMD -MP -c -o $@ $<

$(LIBRARY_OBJECTS): $(BUILD)/objects/library/%.o: %.c $(BUILD)/flags.list
	@mkdir -p $(@D)
	@echo '  compile  $(if $(SANITIZE),[sanitize] )$< for liballegra'
	$(QUIET)$(COMPILE) $(LIBRARY_FLAGS) -Ireferee -MMD -MP -c -o $@ $<

# The files of the replay viewer and of the pages, and the page about the game, are embedded in the
# program.
$(BUILD)/objects/referee/web/viewer.o: $(wildcard referee/web/viewer/*)
$(BUILD)/objects/referee/web/pages.o: $(wildcard referee/web/pages/*)
$(BUILD)/objects/referee/cli/explain.o: referee/cli/game.md

-include $(OBJECTS:.o=.d) $(LIBRARY_OBJECTS:.o=.d)

# The suites of the rules where there is no Criterion, and a program whose output must be the same
# everywhere. `make portable CC=musl-gcc`, or `make portable CROSS=aarch64-linux-gnu-
# RUN="qemu-aarch64 -L /usr/aarch64-linux-gnu"`.
RUN ?=
PORTABLE_SUPPORT := all_answers corner_cases event_tracker event_tracker_apply event_tracker_cards \
	invariants invariants_view position random_late_table random_play
PORTABLE_OBJECTS := $(patsubst %.c,$(BUILD)/objects/portable/%.o,tests/portable/portable_tests.c \
	$(wildcard tests/game/test_*.c) $(PORTABLE_SUPPORT:%=tests/support/%.c))

$(PORTABLE_OBJECTS): $(BUILD)/objects/portable/%.o: %.c $(BUILD)/flags.list \
		tests/portable/criterion/criterion.h
	@mkdir -p $(@D)
	@echo '  compile  $< without Criterion'
	$(QUIET)$(COMPILE) -w -Werror=implicit-function-declaration -Itests/portable -Ireferee -Ireferee/game -Itests -c -o $@ $<

$(BUILD)/portable/game: $(PORTABLE_OBJECTS) $(LIBRARY_OBJECTS)
	@mkdir -p $(@D)
	@echo '  link     $@'
	$(QUIET)$(LINK) -o $@ $^

$(BUILD)/portable/play_events: tests/portable/play_events.c $(BUILD)/lib/liballegra.a
	@mkdir -p $(@D)
	@echo '  link     $@'
	$(QUIET)$(COMPILE) -Ireferee/game -o $@ $^ $(LDFLAGS)

portable: $(BUILD)/portable/game $(BUILD)/portable/play_events
	@$(RUN) $(BUILD)/portable/play_events >$(BUILD)/portable/events
	@$(RUN) $(BUILD)/portable/game >$(BUILD)/portable/said || { grep -v -e '^ok ' -e '^count ' $(BUILD)/portable/said; exit 1; }
	@tail -n 1 $(BUILD)/portable/said

# On a fresh machine `deps` installs the libraries, so targets that need them run a second make.
check: deps deps-browser deps-nginx
	@$(MAKE) $(PARALLEL) --no-print-directory SANITIZE= check-suites

check-sanitized: deps deps-browser deps-nginx
	@$(MAKE) $(PARALLEL) --no-print-directory SANITIZE=1 check-suites

# Runs the suites whose name contains T, and from the others the tests whose name contains T.
test: deps
	@$(MAKE) $(PARALLEL) --no-print-directory test-suites

$(HOSTILE_PROGRAMS): $(BUILD)/tests/hostile/%: tests/hostile/%.c \
		$(wildcard tests/hostile/*.h) $(BUILD)/flags.list
	@mkdir -p $(@D)
	@echo '  link     $@'
	$(QUIET)$(CC) -std=c17 -O1 -g $(WARNINGS) -Wno-unused-variable -D_GNU_SOURCE -o $@ $<

# Suites of bots start some of them, whose names they have in quotes, and a helper.
STARTED := $(filter $(HOSTILE_PROGRAMS),$(patsubst %,$(BUILD)/tests/hostile/%,$(shell \
	grep -ohE '"[a-z_]+"' tests/bot/*.c tests/support/bot_driver.c | tr -d '"')))
$(TESTS_bot:%=$(BUILD)/tests/%): | $(STARTED) $(BUILD)/tests/bot_holder

PRELOADED := $(BUILD)/tests/fail_nth.so $(BUILD)/tests/lying.so

# Preloaded into the referee to make system calls fail, or a worker lie. Not with sanitizers, which must be loaded
# first.
$(BUILD)/tests/%.so: tests/whole/%.c $(BUILD)/flags.list
	@mkdir -p $(@D)
	@echo '  link     $@'
	$(QUIET)$(CC) -std=c17 -O1 -g $(WARNINGS) -D_GNU_SOURCE -fPIC -shared -o $@ $<

# Benchmarks and fuzz targets are only compiled here, so that they keep compiling.
check-build: all $(BUILD)/portable/play_events $(TESTS) $(HELPERS) $(HOSTILE_PROGRAMS) $(BENCH_BOTS) $(BENCHES) \
		$(FUZZ_OBJECTS) $(PRELOADED) $(MANUALS)

check-suites: check-build
	@BUILD=$(BUILD) CC='$(CC)' tests/run $(TESTS) $(SCRIPTS:%=tests/whole/%)

# A script needs the whole build; a suite in C only itself.
NAMED_SUITES = $(shell grep -lE '^Test.[a-z_]+, [a-z_0-9]*$(T)' tests/*/test_*.c; \
	ls tests/*/test_*.c tests/whole/*.sh tests/whole/*.py | grep -E '/[^/]*$(T)[^/]*$$')
NAMED_TESTS = $(sort $(patsubst %.c,$(BUILD)/tests/%,$(notdir $(filter %.c,$(NAMED_SUITES)))))
NAMED_SCRIPTS = $(filter $(SCRIPTS:%=tests/whole/%),$(NAMED_SUITES))

test-suites: $(if $(T),$(if $(NAMED_SCRIPTS),all $(BUILD)/portable/play_events $(HELPERS) $(HOSTILE_PROGRAMS) $(BENCH_BOTS) \
		$(PRELOADED) $(MANUALS)) $(BUILD)/referee $(BUILD)/bots/greedy $(NAMED_TESTS))
	@[ -n '$(T)' ] || { echo 'usage: make test T=text'; exit 2; }
	@BUILD=$(BUILD) CC='$(CC)' T='$(T)' tests/run $(NAMED_TESTS) $(NAMED_SCRIPTS)

# Starter bots: bots/languages builds and runs them. The one in C is always built.
STARTER_CFLAGS = $(WARNINGS) $(WIDTH_WARNINGS) $(SANITIZERS) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS)

$(BUILD)/bots/c: bots/c/bot.c bots/languages
	@BUILD=$(BUILD) CC='$(CC)' STARTER_CFLAGS='$(STARTER_CFLAGS)' bots/languages build c

languages: all
	@BUILD=$(BUILD) bots/languages build $(LANGUAGES)

check-languages: deps
	@$(MAKE) $(PARALLEL) --no-print-directory SANITIZE= check-languages-run

check-languages-run: languages $(BUILD)/tests/transcript
	@BUILD=$(BUILD) bots/languages list $(LANGUAGES)
	@BUILD=$(BUILD) LANGUAGES='$(or $(LANGUAGES),all)' TEST_SECONDS=3600 \
		tests/run tests/whole/languages.py

# Other compilers, optimizations, C libraries and machines; it takes many minutes. PORTABILITY=text does only what has
# that text in its name.
DEPS_PORTABILITY := clang lld llvm musl-tools gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user locales
check-portability: deps
	$(call install_packages,$(DEPS_PORTABILITY))
	@$(MAKE) $(PARALLEL) --no-print-directory SANITIZE= all manuals $(O)/portable/play_events
	@BUILD=$(O) PORTABILITY='$(or $(PORTABILITY),all)' TEST_SECONDS=36000 tests/run tests/whole/portability.py

tournament: deps
	@$(MAKE) $(PARALLEL) --no-print-directory SANITIZE= all
ifeq ($(O),build)
	@build/referee tournament --fresh tournaments/demo.json
else
	@here=$$(pwd) there=$$(cd $(O) && pwd); sed -e "s,\"\.\./build/\(bots/[a-z]*\)\",\"'$$there/\1'\"," \
		-e "s,\"\.\./bots/\([^\"]*\)\",\"'$$here/bots/\1'\"," -e "s,\.\./build/,$$there/," \
		tournaments/demo.json >$(O)/demo.json
	@$(O)/referee tournament --fresh $(O)/demo.json
endif

bench: deps
	@$(MAKE) $(PARALLEL) --no-print-directory SANITIZE= bench-run

bench-run: all $(BENCHES) $(BENCH_BOTS) $(HOSTILE_PROGRAMS)
	@for bench in $(BENCHES) $(BENCH_SCRIPTS); do BUILD=$(BUILD) $$bench '$(ONLY)' || exit 1; done

fuzz: deps deps-lint
	@$(MAKE) $(PARALLEL) --no-print-directory SANITIZE= fuzz-run

# Suites that play random matches: make check plays few of them, make fuzz many.
RANDOM_SUITES := test_illegal test_random test_kit test_greedy test_strong

# With a fixed seed make check does the same each time; make fuzz tries something else.
fuzz-run: export CRASH_SEED = $(FUZZ_SEED)
fuzz-run: export POWER_SEED = $(FUZZ_SEED)
fuzz-run: export GEARMAN_SEED = $(FUZZ_SEED)
fuzz-run: export FORGED_SEED = $(FUZZ_SEED)
fuzz-run: export SOAK_SEED = $(FUZZ_SEED)
fuzz-run: all $(HOSTILE_PROGRAMS) $(FUZZES:%=$(O)/fuzz/fuzz_%) $(O)/tests/test_replay \
		$(O)/tests/fail_nth.so $(O)/tests/lying.so $(O)/tests/test_coverage $(O)/tests/test_luck $(RANDOM_SUITES:%=$(O)/tests/%)
	@echo 'random: 20 times as many matches as make check plays'
	@EFFORT=20 BUILD=$(O) TEST_SECONDS=7200 tests/run $(RANDOM_SUITES:%=$(O)/tests/%)
	@echo 'coverage: 400 simulated tournaments of each design'
	@COVERAGE=400 BUILD=$(O) TEST_SECONDS=7200 tests/run $(O)/tests/test_coverage
	@echo 'luck: 50,000 matches'
	@EFFORT=420 BUILD=$(O) TEST_SECONDS=7200 tests/run $(O)/tests/test_luck
	@echo 'soak: $(SOAK_MATCHES) matches with hostile bots'
	@BUILD=$(O) SOAK_MATCHES=$(SOAK_MATCHES) tests/run tests/whole/soak.py
	@echo 'crash: kill a tournament 1000 times'
	@CRASH_KILLS=1000 CRASH_POINTS=1000 BUILD=$(O) TEST_SECONDS=7200 tests/run tests/whole/crash.py
	@echo 'crash: kill the daemon 100 times'
	@CRASH_KILLS=100 BUILD=$(O) TEST_SECONDS=7200 tests/run tests/whole/serve_crash.py
	@echo 'gearman: kill workers, job server and coordinator 500 times'
	@GEARMAN_KILLS=500 GEARMAN_ONLY=random BUILD=$(O) TEST_SECONDS=7200 tests/run tests/whole/gearman.py
	@echo 'power: cut it 200 times under a tournament and under the daemon'
	@POWER_CUTS=200 BUILD=$(O) TEST_SECONDS=7200 tests/run tests/whole/power_cut.py
	@echo 'forged: 2000 random changes of records'
	@FORGED=2000 BUILD=$(O) TEST_SECONDS=7200 tests/run tests/whole/forged_records.py
	@echo 'soak: $(SOAK_JOBS) jobs of the daemon, with cancels and kills'
	@SOAK_JOBS=$(SOAK_JOBS) BUILD=$(O) TEST_SECONDS=7200 tests/run tests/whole/serve_soak.py
	@echo 'class: 5 jobs of each user of the course'
	@CLASS=5 BUILD=$(O) TEST_SECONDS=7200 tests/run tests/whole/serve_class.py
	@echo 'replay: flip every bit of a log'
	@REPLAY_EVERY_BIT=1 $(O)/tests/test_replay --filter='replay/every_single_bit*'
	@for name in $(FUZZES); do \
		corpus=$(O)/fuzz/corpus/$$name; seeds=tests/fuzz/seeds/$$name; \
		mkdir -p $$corpus; [ -d $$seeds ] || seeds=; \
		echo "fuzz $$name: $(FUZZ_SECONDS) s"; \
		$(O)/fuzz/fuzz_$$name -max_total_time=$(FUZZ_SECONDS) -timeout=10 -verbosity=0 \
			-print_final_stats=1 -artifact_prefix=$(O)/fuzz/$$name- $$corpus $$seeds \
			>$(O)/fuzz/$$name.log 2>&1 || { cat $(O)/fuzz/$$name.log; exit 1; }; \
		sed -n 's/^stat::number_of_executed_units: */  no failure, inputs: /p' \
			$(O)/fuzz/$$name.log; \
	done

lint: deps deps-lint
	@$(MAKE) $(PARALLEL) --no-print-directory SANITIZE= lint-run

CODE = $(shell find $(wildcard referee bots tests) -name '*.[ch]')
LINT_PACKAGES = criterion $(foreach room,$(ROOMS),$(PACKAGES_$(room)))

lint-run:
	@echo clang-format
	@clang-format --dry-run -Werror $(CODE)
	@echo clang-tidy
	@printf '%s\n' $(filter %.c,$(CODE)) | xargs -P $$(nproc) -n 4 sh -c 'clang-tidy --quiet "$$@" \
		-- -std=c17 $(subst ','\'',$(DEFINES)) $(flags_tests) \
		$(call package,--cflags,$(LINT_PACKAGES)) 2>/dev/null' lint

format:
	clang-format -i $(CODE)

# Manual pages: those of the commands are written by the program, from the tables of --help.
OTHER_MANUALS := man5/referee-protocol.5:protocol man5/referee-log.5:log \
	man5/referee-tournament.5:tournament man3/liballegra.3:library man7/referee-matches.7:matches \
	man7/referee-debugging.7:debugging man7/referee-sandbox.7:sandbox \
	man7/referee-python.7:python man7/referee-daemon.7:daemon \
	man5/referee-control.5:control man7/referee-distribute.7:distribute

manuals: $(MANUALS)
$(MANUALS): $(BUILD)/referee protocol.md referee/game/allegra.h referee/manual/pages.py \
		$(wildcard referee/manual/*.md) referee/serve/protocol.md referee/tournament/distribute/README.md
	@rm -rf $(@D) && mkdir -p $(@D)/man1 $(@D)/man3 $(@D)/man5 $(@D)/man7
	@echo '  manuals  $(@D)'
	$(QUIET)$(BUILD)/referee manual >$(@D)/man1/referee.1
	$(QUIET)for name in $$($(BUILD)/referee manual --pages); do \
		$(BUILD)/referee manual $$name >$(@D)/man1/referee-$$name.1 || exit 1; \
	done
	$(QUIET)for pair in $(OTHER_MANUALS); do \
		referee/manual/pages.py $${pair#*:} '$(RELEASED)' $(VERSION) $(BUILD)/referee \
			>$(@D)/$${pair%:*} || exit 1; \
	done
	@touch $@

# What the README shows: a recorded session and a picture of the viewer. They are kept in the
# repository, because they need chromium; run this when the program looks different.
pictures: all deps-browser
	referee/manual/recording.py $(BUILD) referee/manual/recording
	referee/manual/picture.sh $(BUILD) referee/manual/viewer.png

include referee/install.mk

# Another folder may hold other things, too.
clean:
ifeq ($(O),build)
	rm -rf build
else
	rm -rf $(addprefix $(O)/,bench bots browser deb demo.json flags.list fuzz lib man objects portable referee sanitize \
		screenshots tests tournament weights_*.c train)
	rmdir $(O) 2>/dev/null || :
endif

# Installs the missing ones of the Debian packages $(1); prints nothing if none is missing.
define install_packages
	@missing=; command -v dpkg-query >/dev/null && dpkg=yes || dpkg=; \
	for name in $(1); do \
		status=$$([ -n "$$dpkg" ] && dpkg-query -W -f '$${db:Status-Status}\n' $$name 2>/dev/null); \
		case "$$status" in installed*) ;; *) missing="$$missing $$name" ;; esac; \
	done; \
	[ -n "$$missing" ] || exit 0; \
	if [ -z "$$dpkg" ] || ! command -v apt-get >/dev/null; then \
		echo "This is not Debian. Please install the equivalent of these Debian packages:$$missing"; \
		echo "Then run \`make DEPS= DEPS_LINT= ...\` to skip this check."; exit 1; \
	fi >&2; \
	if [ "$$(id -u)" = 0 ]; then root=; \
	elif command -v sudo >/dev/null; then root=sudo; \
	else echo "Please install as root:$$missing" >&2; exit 1; fi; \
	echo "installing$$missing"; \
	$$root apt-get -q update && \
	$$root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends $$missing
endef

deps:
	$(call install_packages,$(DEPS) $(if $(LANGUAGES),$(shell bots/languages packages $(LANGUAGES))))

# Not in parallel with `deps`: two installers would lock each other out.
deps-lint: deps
	$(call install_packages,$(DEPS_LINT))

# The packages whose commands are missing, from the COMMAND:PACKAGE pairs in $(1).
packages_of_missing = $(foreach pair,$(subst :,/,$(1)),$(if $(shell command -v $(patsubst \
	%/,%,$(dir $(pair))) 2>/dev/null),,$(notdir $(pair))))

deps-browser: deps
	-$(call install_packages,$(call packages_of_missing,$(DEPS_BROWSER)))
	@for name in $(DEPS_NODE); do \
		[ -d $(O)/browser/node_modules/$${name%@*} ] || missing="$$missing $$name"; \
	done; \
	[ -z "$$missing" ] || { echo "installing$$missing in $(O)/browser"; \
		timeout 120 npm install --silent --no-audit --no-fund --prefix $(O)/browser $$missing || \
		echo "Tests in a browser will be skipped."; }

# For one test. The program alone, because an installed package would start a server.
deps-nginx: deps
	@command -v nginx /usr/sbin/nginx >/dev/null || [ -x $(O)/nginx/usr/sbin/nginx ] || { \
		echo 'downloading nginx to $(O)/nginx'; mkdir -p $(O)/nginx && cd $(O)/nginx && \
		apt-get -qq download nginx 2>/dev/null && dpkg -x nginx_*.deb .; } || \
		echo 'The test behind nginx will be skipped.'
