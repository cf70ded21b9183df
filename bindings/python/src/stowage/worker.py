"""The worker as a command, for engines that know programs and files: python -m stowage.worker [TASK [ANSWER]]

Reads a task (stowage.Scenario.task() makes one) from a file or from standard input, and writes the answer to a file or to standard
output. The exit code is 0 with a plan, 1 with an error in the answer, which standard error tells too, and 2 where files or arguments
are wrong.
"""

from __future__ import annotations

import pathlib
import sys

from ._sweep.task import unpacked, work


def main(arguments: list[str]) -> int:
    """Runs the command."""
    if len(arguments) > 2 or any(one.startswith("-") for one in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        answer = work(pathlib.Path(arguments[0]).read_bytes() if arguments else sys.stdin.buffer.read())
        if len(arguments) == 2:
            pathlib.Path(arguments[1]).write_bytes(answer)
        else:
            sys.stdout.buffer.write(answer)
            sys.stdout.buffer.flush()
    except OSError as failure:
        print(f"stowage.worker: {failure}", file=sys.stderr)
        return 2
    error = unpacked(answer).error
    if error is not None:
        print(f"stowage.worker: {error}", file=sys.stderr)
    return 0 if error is None else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
