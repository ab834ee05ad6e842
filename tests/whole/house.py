#!/usr/bin/env python3
"""Keeps the house in order: includes point downwards, file names are unique, folders stay small, exported
names say which module they belong to, and lines fit the page. Each rule is first tried on a small tree that
breaks it."""

import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.path.abspath(os.environ.get("BUILD", os.path.join(ROOT, "build")))

# Lowest first. A file may include headers of its own folder and of those before it.
FOLDERS = [
    "base", "game", "value", "value/weights", "wire", "sandbox", "bot", "match",
    "tournament/schedule", "tournament/config", "tournament/store", "tournament/stats", "tournament/play",
    "tournament/distribute",
    "tournament/report", "web", "serve/tls", "serve/archive", "serve/queue", "serve/ladder", "serve/control",
    "serve/http", "serve", "cli", "cli/play",
    "cli/check", "cli/replay", "cli/review", "cli/tournament", "cli/client",
]
# Neighbours that must not know each other although one comes first in the list.
APART = [("serve/http", "serve/control")]
SOURCES_MAX = 32
COLUMNS_MAX = 100
TOP_LEVEL = {"Makefile", "README.md", "LICENSE", "referee", "bots", "protocol.md", "tournaments", "tests"}
# Names that the whole program uses and that are plain enough without a prefix.
PLAIN_NAMES = {"main", "fatal", "xcalloc", "xrealloc", "xstrdup", "xstrndup"}


def report(name, problems):
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)
    for problem in problems[1:]:
        print(f"    {problem}")
    return not problems


def files_below(root, folder, endings):
    for path, folders, names in os.walk(os.path.join(root, folder)):
        folders.sort()
        for name in sorted(names):
            if name.endswith(endings):
                yield os.path.relpath(os.path.join(path, name), root)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def folder_of(path):
    """The folder below referee/ in which a file or header lies."""
    return os.path.dirname(os.path.relpath(path, "referee") if path.startswith("referee/") else path)


def includes_upwards(root):
    for path in files_below(root, "referee", (".c", ".h")):
        own = folder_of(path)
        if own not in FOLDERS:
            yield f"{path} is in a folder that has no place in the order of the rooms"
            continue
        for header in re.findall(r'^#include "([^"]+)"', read(root, path), re.M):
            other = folder_of(header)
            if other not in FOLDERS:
                yield f"{path} includes {header}, which is in no room"
            elif FOLDERS.index(other) > FOLDERS.index(own) or (own, other) in APART:
                yield f"{path} includes {header}, which is above it"


def names_twice(root):
    seen = {}
    for path in files_below(root, "referee", (".c", ".h")):
        name = os.path.basename(path)
        if name in seen:
            yield f"{seen[name]} and {path} have the same name"
        seen[name] = path


def crowded_folders(root):
    counts = {}
    for top in ("referee", "tests", "bots"):
        for path in files_below(root, top, (".c",)):
            counts[os.path.dirname(path)] = counts.get(os.path.dirname(path), 0) + 1
    for folder, count in sorted(counts.items()):
        # One bad bot per file: these are not modules.
        if count > SOURCES_MAX and folder != "tests/hostile":
            yield f"{folder} has {count} sources, more than {SOURCES_MAX}"


def long_lines(root):
    for top in ("referee", "tests", "bots"):
        for path in files_below(root, top, (".c", ".h")):
            for number, line in enumerate(read(root, path).split("\n"), 1):
                if len(line) > COLUMNS_MAX:
                    yield f"{path}:{number} has {len(line)} columns, more than {COLUMNS_MAX}"


def other_top_levels(root):
    listed = subprocess.run(["git", "-C", root, "ls-tree", "--name-only", "HEAD"], capture_output=True,
                            text=True, check=False).stdout.split()
    for name in listed or os.listdir(root):
        if name not in TOP_LEVEL and not name.startswith(".") and name != "build":
            yield f"{name} is not one of the agreed names of the top level"


def libraries_elsewhere(root):
    for path in files_below(root, "referee", (".c", ".h")):
        text = read(root, path)
        if "#include <yajl" in text and not path.startswith("referee/wire/"):
            yield f"{path} includes yajl, which only wire may see"
        if path.startswith("referee/game/"):
            for header in re.findall(r"^#include <(stdio|stdlib|time|unistd|errno|event2/\w+)", text, re.M):
                yield f"{path} includes <{header}>, but the game is pure"


def fixtures_of_nothing(root):
    """A TestSuite() whose name no test has would set nothing up."""
    for path in files_below(root, "tests", (".c",)):
        text = read(root, path)
        tests = set(re.findall(r"^Test\((\w+),", text, re.M))
        for suite in re.findall(r"^TestSuite\((\w+)", text, re.M):
            if suite not in tests:
                yield f"{path} sets up the suite {suite}, which has no test"


def missing_files(root):
    """Files and folders that the page about the architecture names."""
    page = "referee/README.md"
    for name in re.findall(r"`([a-z][a-z0-9_./]*(?:\.[ch]|\.py|\.txt|/))`", read(root, page)):
        found = [os.path.join(root, top, name) for top in ("", "referee", "tests")]
        if not any(os.path.exists(path) for path in found):
            yield f"{page} names {name}, which is not there"


def symbols(archive):
    """Pairs of an object's name and a symbol that it defines for others."""
    listed = subprocess.run(["nm", "-A", "-g", "--defined-only", archive], capture_output=True, text=True,
                            check=True).stdout
    for line in listed.splitlines():
        place, symbol = line.split()[0], line.split()[-1]
        yield place.split(":")[1], symbol


def unprefixed(pairs):
    for _, symbol in pairs:
        if not symbol.startswith("allegra_"):
            yield f"liballegra.a exports {symbol}, which lacks the prefix allegra_"


def modules_of(root):
    """The room of each module name. A private header belongs to the module that it is named after."""
    rooms = {"allegra": "game"}
    for path in files_below(root, "referee", (".c", ".h")):
        name = re.sub(r"_private$", "", os.path.splitext(os.path.basename(path))[0])
        rooms[name] = path.split("/")[1]
    return rooms


def foreign_prefixes(rooms, room, pairs):
    for place, symbol in pairs:
        if symbol in PLAIN_NAMES:
            continue
        fitting = [name for name in rooms if symbol == name or symbol.startswith(name + "_")]
        owner = rooms[max(fitting, key=len)] if fitting else None
        if owner is not None and owner != room:
            yield f"{place} in {room} exports {symbol}, whose prefix belongs to {owner}"


def tree(files):
    folder = tempfile.TemporaryDirectory()
    for path, text in files.items():
        os.makedirs(os.path.dirname(os.path.join(folder.name, path)), exist_ok=True)
        with open(os.path.join(folder.name, path), "w", encoding="utf-8") as file:
            file.write(text)
    return folder


def finds(rule, files):
    """Whether a rule finds exactly one problem in a tree of these files."""
    with tree(files) as root:
        found = list(rule(root))
    return [] if len(found) == 1 else [f"{rule.__name__} found {found}"]


def check_the_rules():
    report("an_include_upwards_is_found",
           finds(includes_upwards, {"referee/bot/a.c": '#include "match/b.h"\n', "referee/match/b.h": ""}))
    report("an_include_upwards_inside_a_room_is_found",
           finds(includes_upwards, {"referee/tournament/store/a.c": '#include "tournament/play/b.h"\n'}))
    report("two_files_with_one_name_are_found",
           finds(names_twice, {"referee/bot/a.c": "", "referee/cli/play/a.c": ""}))
    report("a_crowded_folder_is_found",
           finds(crowded_folders, {f"referee/bot/a{i}.c": "" for i in range(SOURCES_MAX + 1)}))
    report("a_long_line_is_found", finds(long_lines, {"tests/a.c": "/* " + "x" * 96 + " */\n"}))
    report("another_name_at_the_top_is_found", finds(other_top_levels, {"notes/a.txt": ""}))
    report("yajl_outside_wire_is_found",
           finds(libraries_elsewhere, {"referee/bot/a.c": "#include <yajl/yajl_gen.h>\n"}))
    report("a_fixture_of_nothing_is_found",
           finds(fixtures_of_nothing, {"tests/a.c": "TestSuite(bots, .init = f);\nTest(bot, b)\n"}))
    report("a_missing_file_is_found", finds(missing_files, {"referee/README.md": "see `bot/a.c`\n"}))
    report("a_symbol_without_the_prefix_is_found",
           [] if len(list(unprefixed([("a.o", "allegra_a"), ("a.o", "table_b")]))) == 1 else ["it is not"])
    report("a_prefix_of_another_room_is_found",
           [] if len(list(foreign_prefixes({"bot": "bot", "bot_line": "wire"}, "bot",
                                           [("a.o", "bot_start"), ("a.o", "bot_line_read")]))) == 1
           else ["it is not"])


def main():
    check_the_rules()
    report("includes_point_downwards", includes_upwards(ROOT))
    report("file_names_are_unique", names_twice(ROOT))
    report("folders_are_small", crowded_folders(ROOT))
    report("lines_fit_the_page", long_lines(ROOT))
    report("the_top_level_has_the_agreed_names", other_top_levels(ROOT))
    report("libraries_stay_in_their_rooms", libraries_elsewhere(ROOT))
    report("fixtures_belong_to_tests", fixtures_of_nothing(ROOT))
    report("the_architecture_page_names_files_that_exist", missing_files(ROOT))
    report("the_library_exports_only_its_prefix", unprefixed(symbols(os.path.join(BUILD, "lib/liballegra.a"))))
    rooms = modules_of(ROOT)
    for room in sorted(set(rooms.values())):
        archive = os.path.join(BUILD, f"lib/lib{room}.a")
        report(f"prefixes_of_{room}_are_its_own", foreign_prefixes(rooms, room, symbols(archive)))


if __name__ == "__main__":
    sys.exit(main())
