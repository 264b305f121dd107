"""The command: `tightrope`, or `python -m tightrope`."""

from __future__ import annotations

import sys

from tightrope.command_line.quick_start import collect_rarely, compile_methods_late


def main() -> int:
    collect_rarely()
    compile_methods_late()
    from tightrope.cli import main as run_command  # after that: its modules define dataclasses

    return run_command()


if __name__ == "__main__":
    sys.exit(main())
