# What `make install` installs, and where. Each list has SOURCE:TARGET, TARGET below PREFIX: to install
# one more file, add it to a list.

PREFIX ?= /usr/local
DESTDIR ?=
# Where a distribution keeps shared libraries below PREFIX; Debian has lib/x86_64-linux-gnu.
LIBDIR ?= lib
# Where python3 looks for modules below PREFIX; if it does not look there at all, PYTHONPATH has to name it.
FIND_PYTHONDIR = import site, sys; start = sys.argv[1] + "/"; \
	print(*[path[len(start):] for path in site.getsitepackages() if path.startswith(start + "lib/")][:1])
PYTHONDIR ?= $(eval PYTHONDIR := $$(or $$(OWN_PYTHONDIR),lib/python3/dist-packages))$(PYTHONDIR)
OWN_PYTHONDIR = $(eval OWN_PYTHONDIR := $$(shell python3 -c '$$(FIND_PYTHONDIR)' '$$(PREFIX)' 2>/dev/null))$(OWN_PYTHONDIR)

TARGET = $(DESTDIR)$(PREFIX)
EXAMPLES := share/referee

# Copied as they are; a program stays one.
INSTALL_COPIES = $(BUILD)/referee:bin/referee \
	$(foreach bot,$(BOTS),$(BUILD)/bots/$(bot):lib/referee/bots/$(bot)) \
	$(BUILD)/lib/liballegra.a:$(LIBDIR)/liballegra.a \
	$(SHARED):$(LIBDIR)/$(notdir $(SHARED)) \
	referee/game/allegra.h:include/allegra.h \
	$(foreach file,$(wildcard bots/python/allegra/*.py),$(file):$(PYTHONDIR)/allegra/$(notdir $(file))) \
	referee/manual/referee.bash:share/bash-completion/completions/referee \
	referee/manual/_referee:share/zsh/site-functions/_referee \
	referee/manual/referee.fish:share/fish/vendor_completions.d/referee.fish \
	referee/referee.sysusers:lib/sysusers.d/referee.conf \
	referee/referee.tmpfiles:lib/tmpfiles.d/referee.conf \
	referee/referee-root.conf:$(EXAMPLES)/referee-root.conf \
	$(foreach file,$(EXAMPLE_BOTS),$(file):$(EXAMPLES)/$(file)) \
	$(foreach file,$(EXAMPLE_VALUE),$(file):$(EXAMPLES)/$(file:referee/%=%))

# In these, paths below /usr/local or build/ become paths below PREFIX.
INSTALL_EDITED = referee/referee.service:lib/systemd/system/referee.service \
	referee/referee.socket:lib/systemd/system/referee.socket \
	referee/referee-worker.service:lib/systemd/system/referee-worker.service \
	referee/game/liballegra.pc:$(LIBDIR)/pkgconfig/liballegra.pc \
	$(foreach file,$(wildcard tournaments/*.json),$(file):$(EXAMPLES)/$(file))

INSTALL_LINKS = $(notdir $(SHARED)):$(LIBDIR)/liballegra.so

# Sources of bots, with the room that those in C share with the referee.
EXAMPLE_BOTS = $(shell find bots -type f ! -path '*/__pycache__/*')
EXAMPLE_VALUE = $(filter-out referee/value/train.c,$(wildcard referee/value/*.[ch] \
	referee/value/weights/*.c))
INSTALL_PAGES = $(foreach page,$(wildcard $(BUILD)/man/man*/*),$(page):share/$(page:$(BUILD)/%=%))

.PHONY: install install-files uninstall

EDIT = sed -e 's,/usr/local,$(PREFIX),g' -e 's,@VERSION@,$(VERSION),' -e 's,@LIBDIR@,$(LIBDIR),' \
	-e 's,\.\./build/bots/,$(PREFIX)/lib/referee/bots/,'
# The first word of each pair is set as `from`, the second as `to`.
each_pair = for pair in $(1); do from=$${pair%%:*}; to='$(TARGET)'/$${pair\#*:};

# A second make, because the pages are not known before they are written.
install: all manuals
	@$(MAKE) --no-print-directory install-files

install-files:
	@echo '  install  $(TARGET)'
	$(QUIET)$(call each_pair,$(INSTALL_COPIES) $(INSTALL_PAGES)) \
		[ -x $$from ] && mode=755 || mode=644; install -D -m $$mode $$from "$$to" || exit 1; done
	$(QUIET)$(call each_pair,$(INSTALL_EDITED)) \
		install -D -m 644 $$from "$$to" && $(EDIT) $$from >"$$to" || exit 1; done
	$(QUIET)$(call each_pair,$(INSTALL_LINKS)) ln -sf $$from "$$to" || exit 1; done
	$(QUIET)$(LDCONFIG)

# So that programs find the shared library now; whoever is not root cannot, and names it in LD_LIBRARY_PATH.
LDCONFIG = $(if $(DESTDIR),:,ldconfig 2>/dev/null || :)

# Removes the files, then the folders that are left empty, but not those that every PREFIX has.
KEPT_FOLDERS = bin include lib share share/man $(OWN_PYTHONDIR)
# Pages of the program, also if this build has not made them, or an older one made others.
PAGE_NAMES := $(foreach n,1 2 3 4 5 6 7 8,man$(n)/referee-*.$(n)) man1/referee.1 man3/liballegra.3
# What Python keeps beside its modules.
COMPILED = $(PYTHONDIR)/allegra $(EXAMPLES)/bots/python/allegra $(EXAMPLES)/bots/python
UNINSTALLED = $(INSTALL_COPIES) $(INSTALL_EDITED) $(INSTALL_LINKS) $(PAGE_NAMES:%=:share/man/%) \
	$(COMPILED:%=:%/__pycache__/*.pyc)

uninstall:
	@echo '  remove   $(TARGET)'
	$(QUIET)cd '$(TARGET)' && set -f && for pair in $(UNINSTALLED); do \
		path=$${pair#*:}; set +f; rm -f $$path || exit 1; set -f; \
		while folder=$${path%/*}; [ "$$folder" != "$$path" ]; do \
			case ' $(KEPT_FOLDERS) ' in *" $$folder "*) break ;; esac; \
			rmdir "$$folder" 2>/dev/null || break; path=$$folder; \
		done; \
	done
	$(QUIET)$(LDCONFIG)

# The sources as a tarball: of the files that git knows, or, where there is no git, of all but what was
# made.
.PHONY: dist deb check-packages
NAME := referee-$(VERSION)
TARBALL := $(O)/$(NAME).tar.gz
SOURCE_FILES = if git ls-files >/dev/null 2>&1; then git ls-files -z; else \
	find . -path ./$(O) -prune -o -name __pycache__ -prune -o -type f -printf '%P\0'; fi

dist:
	@mkdir -p $(O)
	@echo '  pack     $(TARBALL)'
	$(QUIET)($(SOURCE_FILES)) | LC_ALL=C sort -z | tar -cz --null -T - --transform 's,^,$(NAME)/,' \
		--owner=0 --group=0 --numeric-owner --mode=u+w,go-w,a+rX --mtime='$(RELEASED)' -f $(TARBALL)

# Debian packages in $(O)/deb. debian/ is below referee/, and where Debian expects it only there.
DEPS_DEB := dpkg-dev debhelper fakeroot lintian
DEBIAN := $(O)/deb/$(NAME)

deb: dist
	$(call install_packages,$(DEPS_DEB))
	@rm -rf $(O)/deb && mkdir -p $(O)/deb
	@cp $(TARBALL) $(O)/deb/referee_$(VERSION).orig.tar.gz
	@tar -xzf $(TARBALL) -C $(O)/deb && cp -r $(DEBIAN)/referee/debian $(DEBIAN)/debian
	@echo '  package  $(O)/deb'
	$(QUIET)cd $(DEBIAN) && env -u MAKEFLAGS -u MFLAGS dpkg-buildpackage -us -uc >../build.log 2>&1 || \
		{ tail -n 40 ../build.log; exit 1; }
	$(QUIET)cd $(O)/deb && lintian --fail-on error,warning *.changes
	@ls $(O)/deb/*.deb

# Installs them in a root of their own, and purges them.
check-packages: deb
	@BUILD=$(BUILD) tests/run tests/whole/packages.py
