#!/usr/bin/env python3
"""Writes Stowage as a few files of C++ with its C header, for programs that vendor it (docs/cookbook/vendor.md).

Usage: scripts/amalgamate.py FOLDER [--text] [--flatc FLATC] [--flatbuffers INCLUDE_FOLDER] [--nlohmann INCLUDE_FOLDER]

FOLDER gets the public headers stowage.h, stowage_wire.h and stowage.hpp, LICENSE, and
 - stowage-internal.h: each header of the library once, after those that it includes. So do the headers of FlatBuffers and those
   that flatc generates from the schemas stand here, so that a compiler needs the standard library alone;
 - stowage-1.cpp and so on: the sources, in the order of core/CMakeLists.txt and capi/CMakeLists.txt;
 - stowage.cpp, which includes these, for a build of one file;
 - with --text, stowage-text.cpp, which is the library behind stowage_text.h, that header, and the headers of nlohmann_json.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)')
INCLUDE_BLOCK = re.compile(r"^#if[^\n]*\n(?:#(?:include <[^\n]*|el[^\n]*)\n)*#include <[^\n]*\n#endif[^\n]*\n", re.M)
CONDITION = re.compile(r"\s*#\s*(if|ifdef|ifndef|endif)\b")
# At the end of a line of code.
REMARK = re.compile(r"\s+//.*$")
# A compiler takes more memory for all sources at once than small machines have.
PARTS_OF_HOT = 2  # of hot and warm sources, and of the functions of stowage.h
PARTS_OF_COLD = 3
# Names of the public header, which the head of stowage-internal.h includes.
BESIDE = {"capi/include/stowage.h", "stowage.h"}

HEAD = """\
// {file} - {what}
//
// scripts/amalgamate.py wrote this file from the sources of Stowage {version}.
// Copyright the Stowage authors. Licensed under the Apache License, Version 2.0 (LICENSE).
"""
INTERNAL = """\
// The section of FlatBuffers is copyright Google Inc. and licensed under the same licence. Its files are as they were, but for
// their includes, which are dropped, and for the name of the namespace, which a macro changes.
#pragma once

// Plans are the same on every platform, so that operations are not contracted into fused multiply-add. GCC keeps to this with
// -std=c++20; with -std=gnu++20 it needs -ffp-contract=off.
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

"""
OWN_FLATBUFFERS = """\
// A program may use a FlatBuffers of its own, of another version, and code generated from another version of the schemas.
#define flatbuffers stowage_flatbuffers
#define wire stowage_wire

"""
HIDE = """\
// Only the functions of stowage.h can be seen from outside of a shared library.
#ifdef __GNUC__
#pragma GCC visibility push(hidden)
#endif

"""
SHOW = """\
#ifdef __GNUC__
#pragma GCC visibility pop
#endif
"""
# As in CMakeLists.txt. In one unit, GCC would not inline what headers define into functions of another level.
LEVEL_OF_COLD = """\
// These sources take little of the time of planning. So GCC compiles them in two thirds of the time, to smaller code.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && !defined(STOWAGE_ONE_UNIT)
#pragma GCC optimize("Og", "inline-functions-called-once")
#endif

"""
ONE_UNIT = """\
#define STOWAGE_ONE_UNIT

// gcc takes sources for headers and warns about their anonymous namespaces.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif
"""


class Amalgamation:
    """The text of one translation unit, put together file by file."""

    def __init__(self, folders):
        self.folders = folders
        self.system = set()  # lines and blocks of system includes
        self.blocks = []  # blocks of conditional system includes
        self.taken = set()
        self.sections = []  # (name, text)

    def find(self, name, includer):
        """The path of an included file; None if it belongs to the system."""
        for folder in [includer.parent, *self.folders]:
            if (folder / name).is_file():
                return (folder / name).resolve()
        return None

    def add(self, path):
        """Appends what a file includes, then the file, unless it was taken before."""
        if path in self.taken:
            return
        self.taken.add(path)
        text = path.read_text()
        if not self.name_of(path).startswith("flatbuffers/"):
            text = self.lift_blocks(text)
        guarded = bool(re.match(r"\s*#\s*ifndef\b", re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)))
        # Remarks are for those who change the source, in the repository; those of FlatBuffers and of the public headers stay.
        shortened = not self.name_of(path).startswith("flatbuffers/")
        depth = -1 if guarded else 0
        out = []
        for line in text.splitlines():
            condition = CONDITION.match(line)
            if condition:
                depth += -1 if condition[1] == "endif" else 1
            match = INCLUDE.match(line)
            # What is included under a condition, such as a library of one platform, stays where it is.
            name = match and (match[1] or match[2])
            foreign = match and (match[2] and not name.startswith("flatbuffers/") or name.startswith("absl/"))
            if foreign and depth > 0:
                out.append(line)
            elif foreign:
                self.system.add(name)
            elif match:
                out += self.expand(name, path)
            elif line.strip() != "#pragma once" and not (shortened and line.lstrip().startswith("//")):
                out.append(REMARK.sub("", line) if shortened and '"' not in line else line)
        if path.name.endswith("_generated.h"):
            # Nobody reads what flatc writes.
            out = [line.strip() for line in out if line.strip()]
        self.sections.append((self.name_of(path), re.sub(r"\n{3,}", "\n\n", "\n".join(out).strip("\n"))))

    def expand(self, name, includer):
        """Takes a header into a section of its own, and returns the lines of a file that is meant to be pasted."""
        if name in BESIDE:
            return []
        path = self.find(name, includer)
        if path is None:
            sys.exit(f"amalgamate: {self.name_of(includer)} includes {name}, which is nowhere")
        if path.suffix == ".inl":
            return path.read_text().splitlines()
        self.add(path)
        return []

    def lift_blocks(self, text):
        """Removes blocks of conditions around nothing but system includes, and keeps them for the head."""
        def lift(match):
            if match[0] not in self.blocks:
                self.blocks.append(match[0])
            return ""
        return INCLUDE_BLOCK.sub(lift, text)

    def name_of(self, path):
        for folder in self.folders:
            if path.is_relative_to(folder):
                return path.relative_to(folder).as_posix()
        return path.name


def listed_sources(cmake, command, folder):
    """The sources between a command's opening words and its closing parenthesis."""
    match = re.search(re.escape(command) + r"\s([^)]*)\)", (ROOT / cmake).read_text())
    if not match:
        sys.exit(f"amalgamate: {cmake} has no {command}")
    return [ROOT / folder / name for name in match[1].split()]


def version():
    text = (ROOT / "capi/include/stowage.h").read_text()
    return ".".join(re.search(rf"STOWAGE_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def generate(flatc, folder):
    """Generates the headers of the schemas as capi/CMakeLists.txt does."""
    names = re.search(r"foreach\(name ([^)]*)\)", (ROOT / "capi/CMakeLists.txt").read_text())[1].split()
    for name in names:
        subprocess.run([flatc, "--cpp", "--scoped-enums", "-o", folder, ROOT / f"capi/schema/{name}.fbs"], check=True)


def section(name, text):
    return f"// ---- {name} ".ljust(128, "-") + f"\n{text}\n\n"


def head(file, what):
    return HEAD.format(file=file, what=what, version=version())


def sources_of(library, foreign):
    """The sections that are sources, of all but the first `foreign` ones."""
    return [section(*each) for each in library.sections[foreign:] if each[0].endswith(".cpp")]


def divided(sections, parts):
    """Divides sections into parts of about the same length, in their order."""
    total = sum(len(text) for text in sections)
    result = [[] for _ in range(parts)]
    length = 0
    for text in sections:
        result[min(parts - 1, length * parts // total)].append(text)
        length += len(text)
    return result


def opening(unit, foreign):
    """The start of a file: what its sections include of the system, and FlatBuffers, which are its first sections."""
    return [*(f"#include <{name}>\n" for name in sorted(unit.system)), "\n", *(block + "\n" for block in unit.blocks), OWN_FLATBUFFERS,
            *(section(*each) for each in unit.sections[:foreign])]


def text_file(folders, flatbuffers):
    """The library behind stowage_text.h as one unit. It is a client of stowage.h, and has FlatBuffers of its own."""
    text = Amalgamation(folders)
    text.add(flatbuffers)
    foreign = len(text.sections)
    for source in [*listed_sources("capi/text/CMakeLists.txt", "stowage_optional_library(text", "capi/text"), ROOT / "capi/text/stowage_text.cpp"]:
        text.add(source)
    return "".join([head("stowage-text.cpp", "the library behind stowage_text.h."), INTERNAL.replace("#pragma once\n", ""),
                    *opening(text, foreign), HIDE, *(section(*each) for each in text.sections[foreign:]), SHOW])


def amalgamate(flatc, flatbuffers, with_text=False):
    """The files to write: their names, and their texts."""
    with tempfile.TemporaryDirectory() as generated:
        wire = pathlib.Path(generated).resolve()
        generate(flatc, wire)
        library = Amalgamation([ROOT, wire, flatbuffers])
        library.add(flatbuffers / "flatbuffers/flatbuffers.h")
        foreign = len(library.sections)
        for source in (listed_sources("core/CMakeLists.txt", "set(hot", "core") +
                       listed_sources("core/CMakeLists.txt", "set(warm", "core") +
                       listed_sources("capi/CMakeLists.txt", "set(codec_sources", "capi") +
                       listed_sources("capi/CMakeLists.txt", "set(capi_sources", "capi")):
            library.add(source)
        hot = sources_of(library, foreign)
        for source in listed_sources("core/CMakeLists.txt", "set(cold", "core"):
            library.add(source)
        text = text_file(library.folders, flatbuffers / "flatbuffers/flatbuffers.h") if with_text else None
    headers = [section(*each) for each in library.sections[foreign:] if not each[0].endswith(".cpp")]
    cold = sources_of(library, foreign)[len(hot):]
    internal = [head("stowage-internal.h", "the headers behind stowage.h, for the files stowage-N.cpp alone."), INTERNAL]
    internal += [*opening(library, foreign), HIDE, '#include "stowage.h"\n\n', *headers, SHOW]
    files = {"stowage-internal.h": "".join(internal)}
    parts = [("", texts) for texts in divided(hot, PARTS_OF_HOT)] + [(LEVEL_OF_COLD, texts) for texts in divided(cold, PARTS_OF_COLD)]
    for part, (level, texts) in enumerate(parts, 1):
        name = f"stowage-{part}.cpp"
        files[name] = "".join([head(name, f"part {part} of {len(parts)} of the library behind stowage.h."), level,
                               '#include "stowage-internal.h"\n\n', HIDE, *texts, SHOW])
    what = "the library behind stowage.h as one unit, instead of its parts."
    files["stowage.cpp"] = "".join([head("stowage.cpp", what), ONE_UNIT,
                                    *(f'#include "stowage-{part}.cpp"\n' for part in range(1, len(parts) + 1))])
    if text is not None:
        files["stowage-text.cpp"] = text
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--text", action="store_true")
    parser.add_argument("--flatc", default="flatc")
    parser.add_argument("--flatbuffers", type=pathlib.Path, default=pathlib.Path("/usr/include"))
    parser.add_argument("--nlohmann", type=pathlib.Path, default=pathlib.Path("/usr/include"))
    options = parser.parse_args()
    files = amalgamate(options.flatc, options.flatbuffers.resolve(), options.text)
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (options.folder / name).write_text(text)
    for name in ("capi/include/stowage.h", "capi/include/stowage_wire.h", "capi/include/stowage.hpp", "LICENSE"):
        shutil.copy(ROOT / name, options.folder)
    if options.text:
        shutil.copy(ROOT / "capi/include/stowage_text.h", options.folder)
        shutil.copytree(options.nlohmann / "nlohmann", options.folder / "nlohmann", dirs_exist_ok=True)


if __name__ == "__main__":
    main()
