"""Text of XML documents, with a comment that says who wrote them."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, indent, tostring

from tightrope.report.model import Report
from tightrope.suite.folder import MARKER

_FORBIDDEN = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render_xml(root: Element, report: Report, doctype: str = "") -> str:
    """The declaration and the comment are one line: a first line with our name may be replaced."""
    indent(root, " ")
    head = f'<?xml version="1.0" encoding="UTF-8"?><!-- {MARKER} {report.tool.version} -->\n'
    return f"{head}{doctype}{chr(10) * bool(doctype)}{tostring(root, encoding='unicode')}\n"


def allowed(text: str) -> str:
    """XML has no way to write control characters: a question mark stands for each."""
    return _FORBIDDEN.sub("?", text)
