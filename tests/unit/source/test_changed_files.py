"""Which C files a change concerns, by their text."""

from __future__ import annotations

from pathlib import Path

from tightrope.source.changed_files import find_differing, find_including, find_mentioning, match_renamed


def save(folder: Path, files: dict[str, str]) -> list[str]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return list(files)


def test_files_that_differ(tmp_path: Path) -> None:
    save(tmp_path / "a", {"same.c": "x", "other.c": "x", "old.c": ""})
    save(tmp_path / "b", {"same.c": "x", "other.c": "y", "new.c": ""})
    every = ["same.c", "other.c", "old.c", "new.c"]
    assert find_differing(tmp_path / "a", tmp_path / "b", every) == {"other.c", "old.c", "new.c"}


def test_files_that_include_them_also_by_others(tmp_path: Path) -> None:
    files = save(
        tmp_path,
        {
            "x.c": '#include "sub/a.h"\n',
            "y.c": "  #  include <b.h>\n",
            "z.c": '// #include "b.h"\n#include "c.h"\n',
            "t.c": '#include "x.c"\n',
            "sub/a.h": '#include "../b.h"\n',
            "b.h": '#include "b.h"\n',
            "c.h": "",
        },
    )
    assert find_including(tmp_path, files, ["b.h"]) == {"x.c", "y.c", "t.c", "sub/a.h", "b.h"}
    assert find_including(tmp_path, files, ["nothing.h"]) == set()


def test_files_that_define_a_function(tmp_path: Path) -> None:
    files = save(tmp_path, {"x.c": "int f(void)\n{\n}\n", "y.c": "int g(void) { return f(); }\n", "m.c": "DEFINE(h)\n"})
    assert find_mentioning(tmp_path, files, ["f"]) == {"x.c"}
    assert find_mentioning(tmp_path, files, ["h"]) == {"m.c"}
    assert find_mentioning(tmp_path, files, ["f", "g"]) == {"x.c", "y.c"}


LINES = [f"int v{number};\n" for number in range(10)]


def test_files_with_another_name(tmp_path: Path) -> None:
    """The same text, else the same name elsewhere, else at least half of the lines; each belongs to one."""
    old, new = tmp_path / "a", tmp_path / "b"
    removed = save(old, {"a.c": "".join(LINES), "twin.c": "int t;\n", "lib/n.c": "int before;\n", "gone.c": "int g;\n"})
    added = save(
        new,
        {
            "b.c": "".join(LINES[:6]) + "int w;\n",
            "c.c": "".join(LINES[:7]),
            "copy.c": "int t;\n",
            "n.c": "int after;\n",
            "fresh.c": "",
        },
    )
    assert match_renamed(old, removed, new, added) == {"copy.c": "twin.c", "n.c": "lib/n.c", "c.c": "a.c"}
    assert match_renamed(old, [], new, added) == {}
