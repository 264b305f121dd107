"""Readers of option values. Each raises ValueError with the sentence to show."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from tightrope.options.choices import REPORTS, Choices, criteria

if TYPE_CHECKING:  # imported only when needed: most commands do not read these
    from tightrope.inputs.wishes import Wish
    from tightrope.program.declarations.stubs import Written
    from tightrope.program.marks.labels import Partition


def read_count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise ValueError(f"`{text}` is not a whole number above 0")
    return int(text)


def read_whole(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise ValueError(f"`{text}` is not a whole number")
    return int(text)


def read_cluster(text: str) -> str:
    """`local:2`, `tcp://host:8786`, or the same without the protocol."""
    if not re.fullmatch(r"local:[1-9]\d*|(?!local:)(?:[a-z]+://)?[\w.\[\]:-]+:\d+", text, re.ASCII):
        raise ValueError(f"`{text}` is neither local:N nor the address of a Dask scheduler, such as tcp://host:8786")
    return text


def read_deletion(text: str) -> int:
    if text not in ("0", "1", "2"):
        raise ValueError(f"`{text}` is not 0, 1 or 2")
    return int(text)


def read_path_length(text: str) -> int:
    if text not in ("1", "2", "3", "4", "5", "6"):
        raise ValueError(f"`{text}` is not a number from 1 to 6")
    return int(text)


def read_seconds(text: str) -> float:
    """Seconds: '60', '0.5', '60s', '5m'."""
    scale = {"s": 1.0, "m": 60.0, "h": 3600.0}.get(text[-1:], 0.0)
    try:
        seconds = float(text[:-1]) * scale if scale else float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e9:
        raise ValueError(f"`{text}` is not a number of seconds above 0 (write 60, 0.5 or 5m)")
    return seconds


def read_folder(text: str) -> tuple[Path, ...]:
    """A folder that exists, as an absolute path: it is used in other working folders, too."""
    if not Path(text).is_dir():
        raise ValueError(f"`{text}` is not a folder")
    return (Path(text).resolve(),)


def read_part(text: str) -> float:
    try:
        part = float(text)
    except ValueError:
        part = -1.0
    if not 0 <= part < 1:
        raise ValueError(f"`{text}` is not a part between 0 and 1 (write 0.001 or 1e-6)")
    return part


def read_choice(choices: Choices) -> Callable[[str], str]:
    """A reader of one word out of a table."""

    def read(text: str) -> str:
        known = choices()
        if text not in known:
            raise ValueError(f"`{text}` is not one of {', '.join(known)}{suggestion(text, known)}")
        return text

    return read


def read_choices(choices: Choices) -> Callable[[str], tuple[str, ...]]:
    """A reader of a comma list of words out of a table; repeated words count once."""
    read_one = read_choice(choices)

    def read(text: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(read_one(word.strip()) for word in text.split(",")))

    return read


def read_interleaved(choices: Choices) -> Callable[[str], str]:
    """A reader of one word out of a table, or of several with commas, which take turns."""
    read_some = read_choices(choices)
    return lambda text: ",".join(read_some(text))


def read_id(text: str) -> tuple[str, ...]:
    """The id of an objective: it starts with the name of a function, and may contain commas."""
    if not re.match(r"\s*\w+:", text):
        raise ValueError(f"`{text.strip()}` is not the id of an objective, such as grade:branch:+2.19:true")
    return (text.strip(),)


def read_lines(text: str) -> tuple[tuple[int, int], ...]:
    """`12-20`, or `12`; several with commas."""
    return tuple(_one_range(part.strip()) for part in text.split(","))


def _one_range(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)(?:\s*-\s*(\d+))?", text)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 0 < first <= last:
        raise ValueError(f"`{text}` is not a line or a range of lines, such as 12 or 12-20")
    return first, last


def read_threshold(text: str) -> tuple[tuple[str, float], ...]:
    """`90` (for every criterion) or `branch=90`, several with commas. '' means every criterion."""
    return tuple(_one_threshold(part.strip()) for part in text.split(","))


def _one_threshold(text: str) -> tuple[str, float]:
    name, _, percent = text.rpartition("=")
    if name:
        read_choice(criteria)(name)
    try:
        value = float(percent.rstrip("%"))
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise ValueError(f"`{percent}` is not a percentage from 0 to 100")
    return name, value


_LITERALS = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*\"""")
_CHANGES = re.compile(r"(?<![=!<>])=(?!=)|<<=|>>=|\+\+|--")


def read_expression(text: str) -> tuple[str, ...]:
    if not text.strip():
        raise ValueError("an assumption is a C expression, such as 'n >= 0 && n <= 5'")
    if _CHANGES.search(_LITERALS.sub("0", text)):
        raise ValueError(f"`{text.strip()}` modifies data; an assumption must have no side effects (did you mean ==?)")
    return (text.strip(),)


def read_partition(text: str) -> tuple[Partition, ...]:
    """`sign=x < 0; x == 0; x > 0`."""
    from tightrope.program.marks.labels import Partition

    name, _, rest = text.partition("=")
    predicates = tuple(part.strip() for part in rest.split(";") if part.strip())
    if not re.fullmatch(r"\s*[\w.-]+\s*", name) or not predicates:
        raise ValueError(f"`{text.strip()}` is not NAME=EXPRESSION; EXPRESSION, such as 'sign=x < 0; x == 0; x > 0'")
    for each in predicates:
        if _CHANGES.search(_LITERALS.sub("0", each)):
            raise ValueError(f"`{each}` modifies data; a partition must have no side effects (did you mean ==?)")
    return (Partition(name.strip(), predicates),)


def read_name(text: str) -> tuple[str, ...]:
    """Names of C functions."""
    words = read_words(text)
    for word in words:
        if not re.fullmatch(r"[^\W\d]\w*", word):
            raise ValueError(f"`{word}` is not the name of a function")
    return words


def read_definition(text: str) -> tuple[str, ...]:
    """`__irq`, `__align(...)` or `__weak=__attribute__((weak))`."""
    if not re.fullmatch(r"[^\W\d]\w*(?:\(\.\.\.\))?(?:=.*)?", text):
        raise ValueError(f"`{text}` is neither a word of C, nor NAME=TEXT, nor NAME(...)")
    return (text,)


def read_written(text: str) -> tuple[Written, ...]:
    """`read_sensor:2`, `receive:1=8` or `receive=none`; a function pointer has a path for a name: `ops->read:2`."""
    from tightrope.program.declarations.stubs import Written

    name = r"\s*([^\W\d][^\s:=]*?)\s*"
    if silent := re.fullmatch(rf"{name}=\s*none\s*", text):
        return (Written(silent[1], 0),)
    found = re.fullmatch(rf"{name}:\s*([1-9]\d*)\s*(?:=\s*([1-9]\d{{0,4}})\s*)?", text)
    if not found:
        raise ValueError(f"`{text}` is not NAME:NUMBER, NAME:NUMBER=COUNT or NAME=none, such as receive:2=8")
    return (Written(found[1], int(found[2]), int(found[3] or 1)),)


def read_sequence(text: str) -> tuple[str, ...]:
    """`init; step*8`, or `auto`."""
    from tightrope.program.declarations.sequence import AUTO, read_call_sequence

    return (text.strip() if text.strip() == AUTO else str(read_call_sequence(text)),)


def read_wishes(text: str) -> tuple[tuple[str, Wish], ...]:
    """`buffer=8; list=null`: the language of wishes for inputs."""
    from tightrope.inputs.wishes import read_wish_lines

    return read_wish_lines(text)


def read_words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def read_paths(text: str) -> tuple[Path, ...]:
    return (Path(text),)


def read_output(text: str) -> tuple[tuple[str, str], ...]:
    """`lcov=coverage.info`; `-` is standard output."""
    name, _, file = text.partition("=")
    if not file.strip():
        raise ValueError(f"`{text}` is not NAME=FILE, such as {next(iter(REPORTS))}=report.txt")
    return ((read_choice(lambda: REPORTS)(name.strip()), file.strip()),)


def read_link(text: str) -> tuple[str | Path, ...]:
    return tuple(word if word in ("auto", "none") else Path(word) for word in read_words(text))


def suggestion(word: str, known: Iterable[str]) -> str:
    """`, did you mean X?`, or nothing."""
    by_lower = {name.lower(): name for name in known}
    near = difflib.get_close_matches(word.lower(), by_lower, n=1)
    return f", did you mean {by_lower[near[0]]}?" if near else ""
