"""Functions of which a query is about many inputs at once: checksums, sums, filters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tightrope import cli

FRAME = """
#include <stdint.h>

struct frame { uint8_t data[64]; uint32_t hash; };

int f(const struct frame *frame)
{
    uint32_t hash = 0x811C9DC5u;
    for (int i = 0; i < 64; i++) {
        hash ^= frame->data[i];
        hash *= 16777619u;
        hash ^= hash >> 15;
    }
    if (hash != frame->hash)
        return -1;
    if (frame->data[0] != 0x7E || frame->data[1] > 4)
        return -2;
    return frame->data[1] == 2 && frame->data[2] + frame->data[3] == 300 ? 1 : 0;
}
"""

SAMPLES = """
#include <stdint.h>

struct samples { int16_t at[60]; };

int f(const struct samples *samples)
{
    int64_t sum = 0, squares = 0;
    for (int i = 0; i < 60; i++) {
        sum += samples->at[i];
        squares += (int32_t)samples->at[i] * samples->at[i];
    }
    if (sum > 1200000)
        return 1;
    if (squares > 30000000000LL && sum > -1000 && sum < 1000)
        return 2;
    return sum == 123456 ? 3 : 0;
}
"""


def generate(text: str, folder: Path, *words: str) -> dict[str, Any]:
    (folder / "f.c").write_text(text)
    report = folder / "report.json"
    options = ["-c", "branch", "-o", str(folder / "tests"), "--json", str(report), "--no-confirm", "-q", "--no-cache"]
    assert cli.main(["generate", f"{folder / 'f.c'}:f", *options, *words]) == 0
    (unit,) = json.loads(report.read_text())["units"]
    return dict(unit)


@pytest.mark.parametrize("text", [FRAME, SAMPLES], ids=["frame", "samples"])
def test_many_inputs_move_together(text: str, tmp_path: Path) -> None:
    unit = generate(text, tmp_path, "--engine", "search", "--no-fuzzing", "--max-runs", "60", "--time-limit", "600")
    assert {each["verdict"] for each in unit["objectives"]} == {"covered"}
    assert unit["statistics"]["moved_hits"] > 0
