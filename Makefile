# The referee for ALLEGRA bots. `make help` lists what can be made.

VERSION := 0.1.0
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 60
SOAK_MATCHES ?= 2000
LANGUAGES ?=
ONLY ?=
SANITIZE ?=
V ?=

# The rooms, lowest first. To add a file to a room, add its name here.
BASE_SOURCES := chance clock core letter memory message spread text
GAME_SOURCES := answer apply card clear deal event knock legal position_check position_field \
	position_read position_write rules score simulate turn view
WIRE_SOURCES := json json_commented json_fault json_read line_read line_write record \
	record_read roughen
BOT_SOURCES := bot bubble capture cell clock_probe clock_rule command contain contain_try \
	courier environment escape filter folder_hash intake lease leave listen lodging outbox procfs pulse \
	question reach scratch spawn spawn_child spawn_words stage stopwatch sweep usage verdict watch
MATCH_SOURCES := autopilot host log match match_end match_start replay replay_file reply scribe \
	stable
TOURNAMENT_SOURCES := agenda axis build chart contest copy crew director duel entrants fit \
	folder grid groups idle journal parts plan plan_bots plan_check plan_environment plan_key \
	plan_problem plan_read plan_rules plan_source plan_write print rating relation report_charts \
	report_common report_cross report_csv report_html report_json report_style report_tables \
	report_text schedule schedule_exchange schedule_groups schedule_sample schedule_single \
	schedule_swiss sequential standings store store_logs store_record store_result store_seed \
	student summary terms worker
SERVE_SOURCES := client client_read client_reply control denial errand http http_api \
	http_events http_guard http_pages http_path http_reply http_visitors hub ledger ledger_record \
	listen lobby notify office office_bots office_paper office_queue office_works pages request \
	request_cut request_forms request_write run server users verbs verbs_list verbs_remote \
	verbs_submit verbs_work viewer viewer_write
CLI_SOURCES := ask bridge cancel check check_advice check_coverage check_notes check_play \
	check_report check_scenarios check_script compare connect containment debugger dial doctor \
	doctor_timers dry_run event_words feed human line_client match_options options play progress \
	queue queue_print relay replay replay_against replay_branch replay_html replay_show replay_step \
	report rules serve show standings submit submit_bot submit_match tournament tournament_play \
	tournament_prepare verdict watch watching

# Bots in C: `greedy` is bots/greedy/greedy.c. What they share is one archive, which needs nothing
# but the public library.
BOTS := random greedy strong negotiator
BOTS_SOURCES := greedy/hope greedy/plan greedy/policy kit/events kit/kit kit/odds kit/questions \
	kit/words negotiator/bargain negotiator/negotiate strong/candidates strong/glance strong/guess \
	strong/offer strong/outlook strong/pace strong/search strong/swift strong/swift_knock \
	strong/think

# What each room may call: itself and the rooms below it.
DOWN_base := base
DOWN_game := game $(DOWN_base)
DOWN_wire := wire $(DOWN_game)
DOWN_bot := bot $(DOWN_wire)
DOWN_match := match $(DOWN_bot)
DOWN_tournament := tournament $(DOWN_match)
DOWN_serve := serve $(DOWN_tournament)
DOWN_cli := cli $(DOWN_serve)
DOWN_bots := bots $(DOWN_wire)

# The libraries of each room, by their pkg-config names.
PACKAGES_base := libsodium
PACKAGES_wire := yajl
PACKAGES_bot := libevent libseccomp
PACKAGES_tournament := libevent
PACKAGES_serve := libevent

# Tests by the room they belong to: `text` is tests/test_text.c. A test links its own room and
# those below, so a call upwards does not link.
TESTS_base := text chance memory message spread
TESTS_game := examples rules keys keys_knock corners corners_knock corners_end view position \
	answer invariants illegal random
TESTS_wire := json json_commented line roughen
TESTS_bot := bot bot_process clock_rule clock_stopwatch contain folder_hash
TESTS_match := match replay stable
TESTS_tournament := schedule plan report rating schedule_sample schedule_single schedule_swiss \
	plan_source plan_write entrants groups student sequential standings journal store agenda duel \
	terms
TESTS_serve := control control_limits control_submit hub ledger lobby office request users http
TESTS_cli := check
TESTS_bots := kit greedy strong negotiator

# What tests share: `fakes` is tests/support/fakes.c.
SUPPORT_SOURCES := arena bench_bot figures fake_host pipe_limit position all_answers corners \
	invariants invariants_view random_late random_play witness witness_cards witness_hear \
	bot_driver report_sample field schedule_counts scratch desk web

# Small programs that scripts in tests/whole run: `chance_vectors` is tests/whole/chance_vectors.c.
HELPERS_base := chance_vectors
HELPERS_bot := bot_holder
HELPERS_wire := transcript
HELPERS_tournament := rating_vectors sample_report

# Bots that misbehave, one a file: `late` is tests/hostile/late.c. Never with sanitizers: they are to
# fail in their own ways.
HOSTILES := abstract_socket accomplice answer_and_a_half any_of asks_for_signals bad_hello \
	becomes_root blank_lines burner byte_by_byte capabilities cell_out_of_range child_answers \
	closes_stderr closes_stdin closes_stdout crlf csv_name daemonizes deep_folders descriptor_flood \
	dies_by_signal does_not_flush dots_name double_fork dumps_core early_hello empty_name \
	enters_namespaces escape_name execs_itself exits_after_answer exits_at_once fills_dev_shm \
	fills_disk flood flood_between_questions flood_no_newline flood_of_hellos flood_of_says \
	fools_proc_stat fork_bomb format_name forty_digits future_answer good grandchild_holds_pipe \
	half_line hangs_in_vfork hard_link hello_again html_name huge_file huge_name ignores_sigterm \
	inherited_descriptors inherits_environment io_uring kernel_settings keyring kill_all \
	kills_its_group late leader_exits leading_zeros leaves_note loads_filters locked_folders \
	locks_memory looks_around makes_device many_files many_mappings memfd memory_balloon \
	memory_of_children memory_shared mounts name_of_another names_the_machine namespace_by_clone \
	netlink_socket never_killed never_reads no_hello no_last_newline non_ascii nonblocking_ends \
	nul_bytes number_only old_system_calls opens_devices other_cores other_question other_sockets \
	own_subreaper packet_socket path_name personality pipe_buffers pipe_in_its_folder posix_queue \
	prints_before_asked priority priority_of_referee proc_fd proc_mem process_vm_readv \
	ptrace_referee ptrace_sibling raises_limits random_bytes reads_results reads_shadow \
	reads_sibling_folder referee_arguments referee_environment refuses_to_die replaces_itself \
	says_escapes says_formats says_formulas says_html says_lines_of_the_referee says_records \
	says_too_much seat_out_of_range seed_hunt sets_clock sibling_pipe signal_by_descriptor \
	signal_referee signal_sibling signed_number silent slow_loris spaces stack_overflow \
	stale_answer stderr_escapes stderr_flood steals_descriptor stops_itself symlink_in_its_folder \
	sysv_memory sysv_messages tcp_socket ten_megabyte_line thinks_on_others_time thread_flood \
	three_says tiocsti traps_in_scratch two_answers udp_socket unix_socket user_namespace \
	watches_neighbours wish_of_nonsense writes_its_folder writes_results writes_sibling_folder \
	wrong_ends x32_system_calls zombie_herd descriptors_in_flight

# Scripts that test whole programs. They find the build folder in $BUILD.
SCRIPTS := chance_vectors.sh cli.sh library.sh example.sh bots.sh languages.py protocol.py \
	daemon_protocol.py play.py replay.py check.py report.py rating.py contain.sh tournament.py \
	tournament_store.py feed.py compare.py crash.py hostile.py soak.py viewer.py clients.py \
	serve_pages.py serve_crash.py remote.py serve_load.py service.sh serve_hostile.py

# Suites that run alone: they measure time, look at the whole machine, or use all cores by themselves.
ALONE := test_bot test_bot_process test_clock_rule test_clock_stopwatch test_contain library.sh \
	play.py check.py contain.sh hostile.py soak.py service.sh

# Benchmarks and fuzz targets by room: `chance` is tests/bench/bench_chance.c, `text` is
# tests/fuzz/fuzz_text.c.
BENCHES_base := chance
BENCHES_game := game
BENCHES_wire :=
BENCHES_bot := spawn
BENCHES_match := referee clock replay strength
BENCHES_tournament := tournament
BENCHES_serve := serve
FUZZES_base := text
FUZZES_game := apply position
FUZZES_wire := line
FUZZES_match := match replay
FUZZES_tournament := plan
FUZZES_serve := control

# Bots that benchmarks run: `slow_bot` is tests/bench/slow_bot.c.
BENCH_BOTS_base := first_bot slow_bot

# What fuzz targets of a room take from tests/support.
FUZZ_SUPPORT_game := corners invariants invariants_view witness witness_cards witness_hear

# Debian packages: what everything needs, and what only lint and fuzz need.
DEPS := gcc libc6-dev make pkg-config libevent-dev libyajl-dev libcriterion-dev libsodium-dev \
	libseccomp-dev bubblewrap python3 jq bsdextrautils tmux gdb
DEPS_LINT := clang clang-format clang-tidy libclang-rt-dev
# For the tests of the replay viewer in a browser, as COMMAND:PACKAGE, because node often comes from
# elsewhere; and packages of npm. Where they cannot be had, those tests are skipped.
DEPS_BROWSER := chromium:chromium node:nodejs npm:npm
DEPS_NODE := playwright-core@1 axe-core@4

ROOMS := base game wire bot match tournament serve cli bots
BUILD := $(if $(SANITIZE),build/sanitize,build)
comma := ,
SANITIZERS := $(if $(SANITIZE),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer)
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
# Not for instrumented code: the checks that are put in hide the width of a value from gcc.
WIDTH_WARNINGS := $(if $(SANITIZE),,-Wconversion)
DEFINES := -Ireferee -D_GNU_SOURCE -DREFEREE_VERSION='"$(VERSION)"'
COMPILE = $(CC) -std=c17 -O2 -g $(WARNINGS) $(WIDTH_WARNINGS) $(SANITIZERS) $(DEFINES) \
	$(CPPFLAGS) $(CFLAGS)
LINK = $(CC) $(SANITIZERS) $(CFLAGS) $(LDFLAGS)

# pkg-config is asked when a recipe needs the answer and not when this file is read, because
# `make deps` may have to install it first. $(1) is --cflags or --libs, $(2) the packages.
package = $(if $(strip $(2)),$(or $(shell pkg-config $(1) $(2)),$(if \
	$(shell pkg-config --exists $(2) && echo found),,$(error $(2) not found: run `make deps`))))

.PHONY: all help check check-suites tournament deps deps-lint bench bench-run fuzz fuzz-run lint \
	lint-run format install uninstall clean languages check-languages check-languages-run \
	deps-browser
.DELETE_ON_ERROR:

QUIET := $(if $(V),,@)

# For a make within this one: all cores, unless the user has said how many.
PARALLEL = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

all: $(BUILD)/referee $(BUILD)/lib/libreferee.a $(BOTS:%=$(BUILD)/bots/%) $(BUILD)/bots/c
	@:

help:
	@echo 'make             build build/referee, build/lib/libreferee.a and build/bots/'
	@echo 'make deps        install the Debian packages that are missing; with LANGUAGES=all or'
	@echo '                 LANGUAGES="rust go" also those of the starters in bots/'
	@echo 'make languages   build the starters in all languages that are installed'
	@echo 'make check-languages  test these starters'
	@echo 'make check       run all tests, plain and with sanitizers'
	@echo 'make tournament  play the bundled round robin: standings and report'
	@echo 'make bench       run the benchmarks; with ONLY=game those that begin so'
	@echo 'make fuzz        fuzz each target for FUZZ_SECONDS ($(FUZZ_SECONDS))'
	@echo 'make lint        check the format and the code'
	@echo 'make format      format the code'
	@echo 'make install     install below DESTDIR and PREFIX ($(PREFIX)); also uninstall'
	@echo 'make clean       remove build/'
	@echo 'SANITIZE=1       builds with ASan and UBSan, in build/sanitize'
	@echo 'V=1              shows the commands'

# Rooms: $(1) is the name of the room, $(2) its sources.
define room
FILES_$(1) := $(2:%=referee/$(1)/%.c)
OBJECTS_$(1) := $(2:%=$(BUILD)/objects/referee/$(1)/%.o)
$(BUILD)/lib/lib$(1).a: $(2:%=$(BUILD)/objects/referee/$(1)/%.o)
endef

$(eval $(call room,base,$(BASE_SOURCES)))
$(eval $(call room,game,$(GAME_SOURCES)))
$(eval $(call room,wire,$(WIRE_SOURCES)))
$(eval $(call room,bot,$(BOT_SOURCES)))
$(eval $(call room,match,$(MATCH_SOURCES)))
$(eval $(call room,tournament,$(TOURNAMENT_SOURCES)))
$(eval $(call room,serve,$(SERVE_SOURCES)))
$(eval $(call room,cli,$(CLI_SOURCES)))

FILES_bots := $(BOTS_SOURCES:%=bots/%.c)
OBJECTS_bots := $(BOTS_SOURCES:%=$(BUILD)/objects/bots/%.o)
$(BUILD)/lib/libbots.a: $(OBJECTS_bots)

# Of a room $(1): the rooms that it links and that have anything in them yet, and what they need.
linked = $(foreach room,$(DOWN_$(1)),$(if $(FILES_$(room)),$(room)))
linked_files = $(foreach room,$(call linked,$(1)),$(FILES_$(room)))
linked_archives = $(patsubst %,$(BUILD)/lib/lib%.a,$(call linked,$(1)))
linked_packages = $(foreach room,$(call linked,$(1)),$(PACKAGES_$(room)))

SUPPORT := $(SUPPORT_SOURCES:%=$(BUILD)/objects/tests/support/%.o)
LIBSUPPORT := $(if $(SUPPORT),$(BUILD)/lib/support/libsupport.a)

# Programs: $(1) is the room, $(2) the program, $(3) its source without .c, $(4) further packages.
define program
OBJECTS += $(BUILD)/objects/$(3).o
$(2): $(BUILD)/objects/$(3).o $(LIBSUPPORT) $(call linked_archives,$(1))
	@mkdir -p $$(@D)
	@echo '  link     $$@'
	$(QUIET)$$(LINK) -o $$@ $$^ $$(call package,--libs,$(call linked_packages,$(1)) $(4)) -lm
endef

test_program = $(call program,$(1),$(BUILD)/tests/test_$(2),tests/test_$(2),criterion)
helper_program = $(call program,$(1),$(BUILD)/tests/$(2),tests/whole/$(2))
bench_program = $(call program,$(1),$(BUILD)/bench/bench_$(2),tests/bench/bench_$(2))
bench_bot_program = $(call program,$(1),$(BUILD)/bench/$(2),tests/bench/$(2))

define bot_program
OBJECTS += $(BUILD)/objects/bots/$(1)/$(1).o
$(BUILD)/bots/$(1): $(BUILD)/objects/bots/$(1)/$(1).o $(BUILD)/lib/libbots.a \
		$(BUILD)/lib/libreferee.a
	@mkdir -p $$(@D)
	@echo '  link     $$@'
	$(QUIET)$$(LINK) -o $$@ $$^
endef

# A fuzz target is built from the sources of its rooms, because they have to be instrumented too.
define fuzz_program
.PHONY: build/fuzz/fuzz_$(2)
build/fuzz/fuzz_$(2): tests/fuzz/fuzz_$(2).c $(FUZZ_SUPPORT_$(1):%=tests/support/%.c) \
		$(call linked_files,$(1))
	@mkdir -p $$(@D)
	@echo '  link     $$@'
	$(QUIET)clang -std=c17 -O1 -g $(WARNINGS) -fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=all $(DEFINES) -Itests -o $$@ $$^ \
		$$(call package,--cflags --libs,$(call linked_packages,$(1)))
endef

each = $(foreach room,$(ROOMS),$(foreach name,$($(1)_$(room)),$(eval $(call $(2),$(room),$(name)))))

$(eval $(call program,cli,$(BUILD)/referee,referee/cli/main))
$(foreach bot,$(BOTS),$(eval $(call bot_program,$(bot))))
$(call each,TESTS,test_program)
$(call each,HELPERS,helper_program)
$(call each,BENCHES,bench_program)
$(call each,BENCH_BOTS,bench_bot_program)
$(call each,FUZZES,fuzz_program)

TESTS := $(foreach room,$(ROOMS),$(TESTS_$(room):%=$(BUILD)/tests/test_%))
HELPERS := $(foreach room,$(ROOMS),$(HELPERS_$(room):%=$(BUILD)/tests/%))
BENCH_BOTS := $(BENCH_BOTS_base:%=$(BUILD)/bench/%)
BENCHES := $(foreach room,$(ROOMS),$(BENCHES_$(room):%=$(BUILD)/bench/bench_%))
FUZZES := $(foreach room,$(ROOMS),$(FUZZES_$(room)))
HOSTILE_PROGRAMS := $(HOSTILES:%=$(BUILD)/tests/hostile/%)
FUZZ_OBJECTS := $(FUZZES:%=$(BUILD)/objects/tests/fuzz/fuzz_%.o)
OBJECTS += $(foreach room,$(ROOMS),$(OBJECTS_$(room))) $(SUPPORT) $(FUZZ_OBJECTS)

# The public library for bots in C: the pure rooms alone.
$(BUILD)/lib/libreferee.a: $(OBJECTS_game) $(BUILD)/objects/referee/base/text.o
$(LIBSUPPORT): $(SUPPORT)

$(BUILD)/lib/%.a: Makefile
	@mkdir -p $(@D)
	@rm -f $@
	@echo '  archive  $@'
	$(QUIET)$(AR) rcs $@ $(filter %.o,$^)

# The flags of a source: its room's libraries in referee/ROOM/, the test support in tests/.
room_of = $(word 2,$(subst /, ,$(1)))
source_flags = $(if $(filter referee/%,$(1)),,-Ibots )$(if $(filter tests/%,$(1)),-Itests $(call \
	package,--cflags,criterion),$(call package,--cflags,$(PACKAGES_$(call room_of,$(1)))))

$(OBJECTS): $(BUILD)/objects/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo '  compile  $(if $(SANITIZE),[sanitize] )$<'
	$(QUIET)$(COMPILE) $(call source_flags,$<) -MMD -MP -c -o $@ $<

# The replay viewer is a page, and the files of that page are part of the program.
$(BUILD)/objects/referee/serve/viewer.o: $(wildcard referee/serve/viewer/*)
$(BUILD)/objects/referee/serve/pages.o: $(wildcard referee/serve/pages/*)

-include $(OBJECTS:.o=.d)

# On a fresh machine the libraries come with `deps`, so whatever needs them is a second make.
check: deps deps-browser
	@$(MAKE) $(PARALLEL) --no-print-directory SANITIZE= check-suites
	@$(MAKE) $(PARALLEL) --no-print-directory SANITIZE=1 check-suites

$(HOSTILE_PROGRAMS): $(BUILD)/tests/hostile/%: tests/hostile/%.c \
		tests/hostile/hostile.h tests/hostile/attack.h Makefile
	@mkdir -p $(@D)
	@echo '  link     $@'
	$(QUIET)$(CC) -std=c17 -O1 -g $(WARNINGS) -Wno-unused-variable -D_GNU_SOURCE -o $@ $<

# Preloaded into the referee to let its calls fail. Never with sanitizers, which come first there.
$(BUILD)/tests/fail_nth.so: tests/whole/fail_nth.c Makefile
	@mkdir -p $(@D)
	@echo '  link     $@'
	$(QUIET)$(CC) -std=c17 -O1 -g $(WARNINGS) -D_GNU_SOURCE -fPIC -shared -o $@ $<

# Benchmarks and fuzz targets are only compiled here, so that they cannot fall behind.
check-suites: all $(TESTS) $(HELPERS) $(HOSTILE_PROGRAMS) $(BENCH_BOTS) $(BENCHES) \
		$(FUZZ_OBJECTS) $(BUILD)/tests/fail_nth.so
	@BUILD=$(BUILD) CC='$(CC)' ALONE='$(ALONE)' tests/run $(TESTS) $(SCRIPTS:%=tests/whole/%)

# The starters: bots/languages knows how to build and to run them. The one in C is always built.
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

tournament: deps
	@$(MAKE) $(PARALLEL) --no-print-directory SANITIZE= all
	@build/referee tournament --fresh tournaments/demo.json

bench: deps
	@$(MAKE) $(PARALLEL) --no-print-directory SANITIZE= bench-run

bench-run: all $(BENCHES) $(BENCH_BOTS)
	@for bench in $(BENCHES); do $$bench '$(ONLY)' || exit 1; done

fuzz: deps deps-lint
	@$(MAKE) $(PARALLEL) --no-print-directory SANITIZE= fuzz-run

fuzz-run: all $(HOSTILE_PROGRAMS) $(FUZZES:%=build/fuzz/fuzz_%) build/tests/test_replay \
		build/tests/fail_nth.so
	@echo 'a soak of $(SOAK_MATCHES) matches with hostile bots'
	@BUILD=build SOAK_MATCHES=$(SOAK_MATCHES) tests/run tests/whole/soak.py
	@echo 'a tournament killed a thousand times'
	@CRASH_KILLS=1000 CRASH_POINTS=1000 BUILD=build TEST_SECONDS=7200 tests/run tests/whole/crash.py
	@echo 'a daemon killed a hundred times'
	@CRASH_KILLS=100 BUILD=build TEST_SECONDS=7200 tests/run tests/whole/serve_crash.py
	@echo 'every bit of a log'
	@REPLAY_EVERY_BIT=1 build/tests/test_replay --filter='replay/every_single_bit*'
	@for name in $(FUZZES); do \
		corpus=build/fuzz/corpus/$$name; seeds=tests/fuzz/seeds/$$name; \
		mkdir -p $$corpus; [ -d $$seeds ] || seeds=; \
		echo "fuzz $$name: $(FUZZ_SECONDS) s"; \
		build/fuzz/fuzz_$$name -max_total_time=$(FUZZ_SECONDS) -timeout=10 -verbosity=0 \
			-print_final_stats=1 -artifact_prefix=build/fuzz/$$name- $$corpus $$seeds \
			>build/fuzz/$$name.log 2>&1 || { cat build/fuzz/$$name.log; exit 1; }; \
		sed -n 's/^stat::number_of_executed_units: */  nothing found, inputs tried: /p' \
			build/fuzz/$$name.log; \
	done

lint: deps deps-lint
	@$(MAKE) $(PARALLEL) --no-print-directory SANITIZE= lint-run

CODE = $(shell find $(wildcard referee bots tests) -name '*.[ch]')
LINT_PACKAGES = criterion $(foreach room,$(ROOMS),$(if $(FILES_$(room)),$(PACKAGES_$(room))))

lint-run:
	@echo clang-format
	@clang-format --dry-run -Werror $(CODE)
	@echo clang-tidy
	@printf '%s\n' $(filter %.c,$(CODE)) | xargs -P $$(nproc) -n 4 sh -c 'clang-tidy --quiet "$$@" \
		-- -std=c17 $(subst ','\'',$(DEFINES)) -Itests -Ibots \
		$(call package,--cflags,$(LINT_PACKAGES)) 2>/dev/null' lint

format:
	clang-format -i $(CODE)

# The headers of the public library keep their folders, and include each other from there.
PRIVATE_HEADERS := game/flow.h game/position_field.h
PUBLIC_HEADERS := base/dice.h base/text.h $(filter-out $(PRIVATE_HEADERS),$(patsubst \
	referee/%,%,$(wildcard referee/game/*.h)))
TARGET = $(DESTDIR)$(PREFIX)
UNITS := referee.service referee.socket
INSTALLED = $(UNITS:%=$(TARGET)/lib/systemd/system/%) $(TARGET)/bin/referee $(TARGET)/lib/libreferee.a \
	$(TARGET)/lib/pkgconfig/libreferee.pc $(PUBLIC_HEADERS:%=$(TARGET)/include/referee/%)

install: all
	install -D -m 755 $(BUILD)/referee $(TARGET)/bin/referee
	install -D -m 644 $(BUILD)/lib/libreferee.a $(TARGET)/lib/libreferee.a
	@for header in $(PUBLIC_HEADERS); do \
		install -D -m 644 referee/$$header $(TARGET)/include/referee/$$header || exit 1; \
	done
	@mkdir -p $(TARGET)/lib/systemd/system $(TARGET)/lib/pkgconfig
	@for unit in $(UNITS); do \
		sed 's,/usr/local/bin/referee,$(PREFIX)/bin/referee,' referee/$$unit \
			> $(TARGET)/lib/systemd/system/$$unit || exit 1; \
	done
	@printf '%s\n' 'prefix=$(PREFIX)' 'Name: libreferee' 'Version: $(VERSION)' \
		'Description: The rules of the card game ALLEGRA, for bots' \
		'Cflags: -I$${prefix}/include/referee -I$${prefix}/include' \
		'Libs: -L$${prefix}/lib -lreferee' > $(TARGET)/lib/pkgconfig/libreferee.pc

uninstall:
	rm -f $(INSTALLED)
	-rmdir $(TARGET)/include/referee/base $(TARGET)/include/referee/game $(TARGET)/include/referee

clean:
	rm -rf build

# Installs those of the Debian packages $(1) that are missing; says nothing if none is.
define install_packages
	@missing=; command -v dpkg-query >/dev/null && dpkg=yes || dpkg=; \
	for name in $(1); do \
		status=$$([ -n "$$dpkg" ] && dpkg-query -W -f '$${db:Status-Status}\n' $$name 2>/dev/null); \
		case "$$status" in installed*) ;; *) missing="$$missing $$name" ;; esac; \
	done; \
	[ -n "$$missing" ] || exit 0; \
	if [ -z "$$dpkg" ] || ! command -v apt-get >/dev/null; then \
		echo "This is no Debian. Please install what these packages of Debian hold:$$missing"; \
		echo "Then say \`make DEPS= DEPS_LINT= ...\`, and nothing will be looked for."; exit 1; \
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

# Not beside `deps`: two installers at once would lock each other out.
deps-lint: deps
	$(call install_packages,$(DEPS_LINT))

# In $(1), pairs of COMMAND:PACKAGE, the packages whose commands are missing.
packages_of_missing = $(foreach pair,$(subst :,/,$(1)),$(if $(shell command -v $(patsubst \
	%/,%,$(dir $(pair))) 2>/dev/null),,$(notdir $(pair))))

deps-browser: deps
	-$(call install_packages,$(call packages_of_missing,$(DEPS_BROWSER)))
	@for name in $(DEPS_NODE); do \
		[ -d build/browser/node_modules/$${name%@*} ] || missing="$$missing $$name"; \
	done; \
	[ -z "$$missing" ] || { echo "installing$$missing in build/browser"; \
		timeout 120 npm install --silent --no-audit --no-fund --prefix build/browser $$missing || \
		echo "The tests of the replay viewer in a browser will be skipped."; }
