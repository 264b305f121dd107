"""Stands in for the compiler of a build and notes how each C file is compiled, as `bear` does.

    make CC="python recorder.py commands.jsonl cc"

Each compile is a line of JSON in the given file, in the form of an entry of compile_commands.json.
"""

from __future__ import annotations

import json
import os
import sys


def main(arguments: list[str]) -> None:
    notes, *command = arguments
    if "-c" in command:
        with open(notes, "a", encoding="utf-8") as file:  # short lines are appended whole, also by parallel builds
            for source in (word for word in command if word.endswith(".c")):
                file.write(json.dumps({"directory": os.getcwd(), "file": source, "arguments": command}) + "\n")
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
