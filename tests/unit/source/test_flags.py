from pathlib import Path

import pytest

from tightrope.errors import UsageError
from tightrope.source.flags import (
    Dropped,
    DropReason,
    Flags,
    join_flags,
    rebase_flags,
    sort_flags,
    without,
    without_preprocessing,
)


@pytest.mark.parametrize(
    "words",
    [
        "-DX=1 -UY -Iinc -I inc -D Z -include config.h -isystem sys -iquote . -idirafter late",
        "-std=gnu11 -ansi -fshort-enums -funsigned-char -fpack-struct=1 -fno-builtin -ffreestanding -nostdinc",
        "-msse4.2 -mavx2 -mno-avx -mlong-double-64 -fPIC -fcommon -fms-extensions -ftrivial-auto-var-init=zero",
        "--sysroot=/x --sysroot /x -DNDEBUG -Xclang -foo -mllvm -bar",
    ],
)
def test_what_gives_the_c_its_meaning_is_kept_in_order(words):
    assert sort_flags(words.split()) == Flags(kept=tuple(words.split()))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("-o x.o", DropReason.OUTPUT),
        ("-ox.o", DropReason.OUTPUT),
        ("-MF x.d", DropReason.OUTPUT),
        ("-MD", DropReason.OUTPUT),
        ("-x c", DropReason.OUTPUT),
        ("-save-temps=obj", DropReason.OUTPUT),
        ("-static", DropReason.OUTPUT),
        ("-Wall", DropReason.WARNING),
        ("-Werror", DropReason.WARNING),
        ("-w", DropReason.WARNING),
        ("-O2", DropReason.OPTIMISATION),
        ("-g3", DropReason.OPTIMISATION),
        ("-D_FORTIFY_SOURCE=2", DropReason.OPTIMISATION),
        ("-D _FORTIFY_SOURCE=2", DropReason.OPTIMISATION),
        ("-flto=auto", DropReason.OPTIMISATION),
        ("-march=native", DropReason.TARGET),
        ("-target arm-none-eabi", DropReason.TARGET),
        ("--target=arm-none-eabi", DropReason.TARGET),
        ("-fanalyzer", DropReason.GCC_ONLY),
        ("--param foo=1", DropReason.GCC_ONLY),
        ("--param=foo=1", DropReason.GCC_ONLY),
        ("-fsanitize=address", DropReason.CHECKS),
        ("--coverage", DropReason.CHECKS),
        ("-fstack-protector-strong", DropReason.CHECKS),
        ("-ffast-math", DropReason.FLOATS),
        ("-ftrapv", DropReason.OVERFLOW),
        ("-fopenmp", DropReason.THREADS),
    ],
)
def test_what_would_change_what_we_measure_is_dropped_with_the_reason(words, reason):
    assert sort_flags(["-DX", *words.split(), "-DY"]) == Flags(("-DX", "-DY"), (), (Dropped(words, reason),))


def test_the_last_width_counts():
    assert sort_flags(["-m32", "-DX"]) == Flags(("-DX",), (), (Dropped("-m32", DropReason.TARGET),), "-m32")
    assert join_flags(sort_flags(["-m32"]), sort_flags(["-m64"])).width == "-m64"
    assert join_flags(sort_flags(["-mx32"]), sort_flags(["-DX"])).width == "-mx32"


def test_flags_are_rebased_to_another_folder(tmp_path: Path):
    (tmp_path / "inc").mkdir()
    (tmp_path / "config.h").touch()
    words = [
        "-Iinc",
        "-I",
        "inc",
        "-DX=inc",
        "-include",
        "config.h",
        "-include",
        "elsewhere.h",
        "-I/usr",
        "-isystem",
        ".",
        f"-I{tmp_path}/inc",
        "-I/usr/include",
        f"{tmp_path}/config.h",
    ]
    expected = ["-I../inc", "-I", "../inc", "-DX=inc", "-include", "../config.h", "-include", "elsewhere.h", "-I/usr"]
    assert rebase_flags(words, tmp_path, tmp_path / "tests") == (
        *(*expected, "-isystem", "..", "-I../inc"),
        *("-I/usr/include", "../config.h"),
    )


def test_flags_for_the_linker_are_kept_apart():
    flags = sort_flags("-lm -L lib -Wl,--wrap=f -pthread helper.o libx.a -Xlinker -z".split())
    assert flags.kept == ("-pthread",)
    assert flags.link == ("-lm", "-L", "lib", "-Wl,--wrap=f", "-pthread", "helper.o", "libx.a", "-Xlinker", "-z")


def test_words_for_the_preprocessor_are_unpacked():
    flags = sort_flags(["-Wp,-DX=1,-MD,x.d", "-Wp,-D_FORTIFY_SOURCE=2"])
    assert flags.kept == ("-DX=1",)
    assert [each.flag for each in flags.dropped] == ["-MD", "-D_FORTIFY_SOURCE=2"]


def test_only_what_may_change_the_result_is_said_unasked():
    flags = sort_flags("-c -O2 -Wall -m32 -fanalyzer".split())
    assert [str(each).split(" ", maxsplit=1)[0] for each in flags.worth_saying] == ["-m32", "-fanalyzer"]


def test_a_file_among_the_flags_is_an_error_unless_it_is_the_source():
    with pytest.raises(UsageError, match=r"other\.c.*\[flag-is-a-file\]"):
        sort_flags(["-DX", "other.c"])
    assert sort_flags(["x.c"], lambda word: word == "x.c").dropped == (Dropped("x.c", DropReason.FILE),)


def test_a_flag_without_its_value_is_an_error():
    with pytest.raises(UsageError, match=r"-I needs a value"):
        sort_flags(["-DX", "-I"])


def test_a_file_of_flags_is_read(tmp_path: Path):
    (tmp_path / "flags").write_text("-DX='a b'\n-O2")
    assert sort_flags(["@flags", "-DY"], folder=tmp_path).kept == ("-DX=a b", "-DY")
    (tmp_path / "outer").write_text("-DA @flags @outer")
    assert sort_flags(["@flags"], folder=tmp_path).kept == ("-DX=a b",)
    assert sort_flags(["@outer"], folder=tmp_path).kept[:2] == ("-DA", "-DX=a b")
    with pytest.raises(UsageError, match="@missing"):
        sort_flags(["@missing"], folder=tmp_path)


def test_without():
    flags = Flags(("-DX", "-fnope"))
    assert without(flags, "-fnope") == Flags(("-DX",), (), (Dropped("-fnope", DropReason.UNKNOWN),))
    assert without(flags, "-fother") is None


def test_without_preprocessing():
    words = "-DX=1 -D Y -UZ -include config.h -imacros m.h -include-pch x.pch -I inc -std=gnu11 -fshort-enums"
    kept = "-include-pch x.pch -I inc -std=gnu11 -fshort-enums"
    assert without_preprocessing(words.split()) == tuple(kept.split())
