#!/usr/bin/env python3
"""Prints a header with its comments as Doxygen knows them. The comments of the headers are plain, and written for those who read the
header itself: a comment before a declaration describes it, one behind a field describes the field, and lists of parameters and of
statuses have a form of their own.

Usage: doxygen_filter.py HEADER
"""

import re
import sys

PARAMETER = re.compile(r"^ \*   (\w+(?:, \w+)*) +(?=\S)")


def described(line: str) -> str:
    """A line of a comment before a declaration."""
    line = PARAMETER.sub(lambda match: f" * @param {match[1].replace(', ', ',')} ", line)
    return re.sub(r"^ \* Statuses: ", " * @return ", line)


def main() -> None:
    inside = first = False
    for number, line in enumerate(open(sys.argv[1], encoding="utf-8")):
        line = line.rstrip("\n")
        if inside:
            line = described(line)
            if first:
                # The first comment is that of the file; its first line has the file's name.
                line = re.sub(r"^ \* (\w+\.h) - (.)", lambda match: f" * @file\n * {match[2].upper()}", line)
        elif line.startswith("/* ---"):
            line = "/" + line[1:]  # a heading between parts
        elif line.startswith("/*"):
            inside, first = True, number == 0
            line = "/**" + line[2:]
        else:
            line = re.sub(r"/\* ", "/**< ", line)
        if "*/" in line:
            inside = first = False
        print(line)


if __name__ == "__main__":
    main()
