"""Behind a checksum, tests have data: other inputs are adapted to telling values, so that the checksum fits them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tightrope import cli

FRAME = """
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { START = 0x7E, MAX_PAYLOAD = 16 };
enum parse_result { OK = 0, TOO_SHORT = -1, BAD_START = -2, BAD_LENGTH = -3, BAD_CRC = -4 };

struct message {
    uint8_t type;
    uint8_t sequence;
    uint16_t source;
    uint8_t length;
    uint8_t payload[MAX_PAYLOAD];
    uint8_t is_urgent;
};

static uint8_t crc8(const uint8_t *data, size_t length)
{
    uint8_t crc = 0xFF;
    for (size_t i = 0; i < length; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc & 0x80) ? (uint8_t)((crc << 1) ^ 0x31) : (uint8_t)(crc << 1);
    }
    return crc;
}

/* START type|urgent sequence source_hi source_lo length payload... crc */
int f(const uint8_t *bytes, size_t size, struct message *out)
{
    if (size < 7)
        return TOO_SHORT;
    if (bytes[0] != START)
        return BAD_START;
    uint8_t length = bytes[5];
    if (length > MAX_PAYLOAD || (size_t)length + 7 > size)
        return BAD_LENGTH;
    if (crc8(bytes + 1, (size_t)length + 5) != bytes[6 + length])
        return BAD_CRC;
    out->type = bytes[1] & 0x7F;
    out->is_urgent = bytes[1] >> 7;
    out->sequence = bytes[2];
    out->source = (uint16_t)(bytes[3] << 8 | bytes[4]);
    out->length = length;
    memcpy(out->payload, bytes + 6, length);
    return OK;
}
"""


def _accepted(tmp_path: Path, text: str) -> list[dict[str, Any]]:
    """The tests of f that return 0."""
    (tmp_path / "unit.c").write_text(text)
    words = ["-o", str(tmp_path / "tests"), "--format", "json", "-q", "--max-runs", "2000"]
    assert cli.main(["generate", f"{tmp_path / 'unit.c'}:f", *words]) == 0
    suite = json.loads((tmp_path / "tests" / "test_unit_f.json").read_text())
    return [each for each in suite["cases"] if each["observed"].get("result") == 0]


def test_an_accepted_frame_has_data(tmp_path: Path) -> None:
    accepted = _accepted(tmp_path, FRAME)
    assert accepted
    assert any(each["observed"]["out->length"] for each in accepted)
    assert all(each["inputs"]["bytes[5]"] == each["observed"]["out->length"] for each in accepted)
