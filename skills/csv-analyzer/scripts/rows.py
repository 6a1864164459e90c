#!/usr/bin/env python3
"""Prints rows of a CSV file as the other scripts read them, by line number.

The scripts beside it import the reading from here: byte order marks, odd delimiters, ragged rows, thousands
separators. Only the standard library, Python 3.9 or later.
"""

from __future__ import annotations

import argparse
import csv
import difflib
import functools
import io
import json
import os
import re
import stat
import sys
from datetime import date
from decimal import Decimal, InvalidOperation, getcontext

MAX_BYTES = 32 * 1024 * 1024
MAX_CELLS = 2_000_000
MAX_COLUMNS = 500
MAX_FIELD = 100_000
SHOWN_WIDTH = 48

MISSING = frozenset(["", "-", "--", "?", "na", "n/a", "#n/a", "nan", "nil", "none", "null", "(null)", "missing", "unknown"])
BOOLEANS = frozenset(["true", "false", "yes", "no"])
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}

getcontext().prec = 60


class Failure(Exception):
    """The file can't be analysed; exit code 1."""


class Usage(Exception):
    """The arguments don't fit the file; exit code 2."""


class Table:
    """A header, its rows as (line number, cells) with every row as long as the header, and what was odd about them."""

    def __init__(self, header, rows, delimiter, encoding, issues):
        self.header = header
        self.rows = rows
        self.delimiter = delimiter
        self.encoding = encoding
        self.issues = issues

    def index(self, name):
        """The position of a column; the case and outer blanks of its name don't matter where that is unambiguous."""
        if name in self.header:
            return self.header.index(name)
        wanted = name.strip().casefold()
        found = [i for i, h in enumerate(self.header) if h.casefold() == wanted]
        if len(found) == 1:
            return found[0]
        near = difflib.get_close_matches(wanted, [h.casefold() for h in self.header], n=1)
        hint = ""
        if near:
            hint = " Did you mean %s?" % quoted([h for h in self.header if h.casefold() == near[0]][0])
        raise Usage("no column %s.%s Columns: %s" % (quoted(name), hint, ", ".join(clean(h) for h in self.header)))

    def numbers(self, column, decimal="."):
        """The (row position, number) pairs of a column; fails when no cell of it is a number."""
        found = []
        for position, (_, cells) in enumerate(self.rows):
            value = None if is_missing(cells[column]) else number(cells[column], decimal)
            if value is not None:
                found.append((position, value))
        if self.rows and not found:
            holding = self.numeric_columns(decimal)
            other = "," if decimal == "." else "."
            hint = "" if holding or not self.numeric_columns(other) else '; is the decimal sign "%s"? Then add --decimal %s' % (other, other)
            raise Failure("column %s holds no numbers; columns that do: %s%s" % (
                quoted(self.header[column]), ", ".join(holding) or "none", hint))
        return found

    def numeric_columns(self, decimal):
        return [
            clean(name)
            for i, name in enumerate(self.header)
            if any(kind(cells[i], decimal) in ("integer", "number") for _, cells in self.rows)
        ]


def read_table(path, delimiter=None):
    """Reads a CSV file, or standard input for "-". Raises Failure where there is nothing to analyse."""
    issues = []
    text, encoding = decode(read_bytes(path), issues)
    if "\0" in text:
        issues.append("NUL bytes removed")
        text = text.replace("\0", "")
    if not text.strip():
        raise Failure("%s is empty" % shown_path(path))
    delimiter = delimiter or guess_delimiter(text)
    records = parse(text, delimiter, issues)
    header = name_columns(records[0][1], issues)
    rows = level_rows(records[1:], len(header), issues)
    return Table(header, rows, delimiter, encoding, issues)


def read_bytes(path):
    if path == "-":
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
    else:
        try:
            if not stat.S_ISREG(os.stat(path).st_mode):
                raise Failure("%s is not a regular file" % shown_path(path))
            with open(path, "rb") as source:
                data = source.read(MAX_BYTES + 1)
        except FileNotFoundError:
            raise Failure("no such file: %s" % shown_path(path)) from None
        except (OSError, ValueError) as error:
            raise Failure("can't read %s: %s" % (shown_path(path), getattr(error, "strerror", None) or error)) from None
    if len(data) > MAX_BYTES:
        raise Failure("%s is larger than %d MiB; analyse it in parts" % (shown_path(path), MAX_BYTES // 1024 // 1024))
    return data


def decode(data, issues):
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            issues.append("byte order mark removed")
            return data[len(mark):].decode(encoding, "replace"), encoding
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        issues.append("not UTF-8; read as windows-1252, so check accented letters")
        return data.decode("cp1252", "replace"), "windows-1252"


def guess_delimiter(text):
    """The delimiter under which the first records agree best on a number of fields above one."""
    head = text[:65536]
    best, best_score = ",", (0, 0)
    for candidate in DELIMITERS:
        widths = []
        try:
            for record in csv.reader(io.StringIO(head, newline=""), delimiter=candidate):
                if record:
                    widths.append(len(record))
                if len(widths) == 20:
                    break
        except csv.Error:
            continue
        if widths and widths[0] > 1:
            score = (sum(1 for w in widths if w == widths[0]), widths[0])
            if score > best_score:
                best, best_score = candidate, score
    return best


def parse(text, delimiter, issues):
    """The non-blank records as (first line, cells). Quotes that don't pair are read leniently, and said so."""
    csv.field_size_limit(MAX_FIELD)
    for strict in (True, False):
        records, cells, blank, start = [], 0, 0, 1
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict)
        try:
            for record in reader:
                if not record or (len(record) == 1 and not record[0].strip()):
                    blank += 1
                else:
                    records.append((start, record))
                    cells += len(record)
                if cells > MAX_CELLS:
                    raise Failure("more than %d cells; analyse the file in parts" % MAX_CELLS)
                start = reader.line_num + 1
        except csv.Error:
            if not strict:
                raise Failure("line %d: a field longer than %d characters; is a quote left open?" % (start, MAX_FIELD)) from None
            issues.append("line %d: a quote is misplaced or left open; the cells from there may be wrong" % start)
            continue
        break
    if blank:
        issues.append("%s skipped" % plural(blank, "blank line"))
    if not records:
        raise Failure("the file holds no header and no rows")
    if len(records[0][1]) > MAX_COLUMNS:
        raise Failure("more than %d columns" % MAX_COLUMNS)
    return records


def name_columns(header, issues):
    names, seen = [], set()
    for position, raw in enumerate(header, 1):
        name = " ".join(raw.split())
        if not name:
            name = "column %d" % position
            issues.append("header: column %d has no name; called %s" % (position, quoted(name)))
        base, n = name, 2
        while name in seen:
            name, n = "%s (%d)" % (base, n), n + 1
        if name != base:
            issues.append("header: %s appears twice; the later one is called %s" % (quoted(base), quoted(name)))
        seen.add(name)
        names.append(name)
    data_like = [name for name in names if kind(name) in ("integer", "number", "date")]
    if data_like:
        issues.append("header: %s looks like data; is the header line missing?" % quoted(data_like[0]))
    return names


def level_rows(records, width, issues):
    rows, ragged = [], []
    for line, cells in records:
        if len(cells) != width:
            ragged.append("line %d: %s, expected %d" % (line, plural(len(cells), "field"), width))
            cells = cells[:width] + [""] * (width - len(cells))
        rows.append((line, cells))
    issues.extend(ragged[:5])
    if len(ragged) > 5:
        issues.append("%d more rows with a wrong number of fields" % (len(ragged) - 5))
    return rows


def is_missing(cell):
    return cell.strip().casefold() in MISSING


def _number_pattern(point, separators):
    amount = r"(?P<whole>[0-9]{1,3}(?:[%s][0-9]{3})+|[0-9]*)(?:%s(?P<part>[0-9]+))?(?P<exp>[eE][+-]?[0-9]{1,2})?" % (
        separators,
        re.escape(point),
    )
    return re.compile(r"(?P<sign>[+-]?) ?[$€£¥]? ?%s ?[$€£¥]?" % amount)


_NUMBERS = {".": _number_pattern(".", ",' \u00a0\u202f"), ",": _number_pattern(",", ".' \u00a0\u202f")}


# Most cells of most files look like this, and need none of the care below.
_PLAIN = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(\.[0-9]{1,12})?")


def number(cell, decimal="."):
    """The cell as a Decimal, or None. Reads 1,234.50, $12, (3.00) for minus three, 1e3; not 12% or 1/2."""
    parsed = parse_number(cell.strip(), decimal)
    return parsed and parsed[0]


@functools.lru_cache(maxsize=1 << 14)
def parse_number(text, decimal):
    """(value, whether it is written without a fraction) or None."""
    fast = _PLAIN.fullmatch(text) if decimal == "." else None
    if fast:
        return Decimal(text), fast[1] is None
    if not text or len(text) > 40:
        return None
    negative = text.startswith("(") and text.endswith(")")
    match = _NUMBERS[decimal].fullmatch(text[1:-1] if negative else text)
    if not match or not (match["whole"] or match["part"]):
        return None
    digits = re.sub("[^0-9]", "", match["whole"]) or "0"
    try:
        value = Decimal("%s%s.%s%s" % (match["sign"], digits, match["part"] or "0", match["exp"] or ""))
    except InvalidOperation:
        return None
    if value and abs(value.adjusted()) > 40:
        return None
    return (-value if negative else value), match["part"] is None and match["exp"] is None


_CODE = re.compile("0[0-9]+")
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})(?:-([0-9]{2})(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?)?")


@functools.lru_cache(maxsize=1 << 14)
def iso_date(text):
    """(year, month) of an ISO 8601 date, date-time or year-month, else None. Other orders are ambiguous, so they stay text."""
    match = _DATE.fullmatch(text)
    if not match:
        return None
    try:
        date(int(match[1]), int(match[2]), int(match[3] or 1))
    except ValueError:
        return None
    return int(match[1]), int(match[2])


def kind(cell, decimal="."):
    """missing, integer, number, boolean, date or text. Digits with a leading zero are a code, so they are text."""
    text = cell.strip()
    if decimal == ".":
        fast = _PLAIN.fullmatch(text)
        if fast:
            return "number" if fast[1] else "integer"
    folded = text.casefold()
    if folded in MISSING:
        return "missing"
    if folded in BOOLEANS:
        return "boolean"
    if iso_date(text):
        return "date"
    parsed = parse_number(text, decimal)
    if parsed is None or _CODE.fullmatch(text):
        return "text"
    return "integer" if parsed[1] else "number"


def show(value, places=6):
    """A Decimal without exponent or needless zeros, rounded to a number of places."""
    value = value.quantize(Decimal(1).scaleb(-places))
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def plain(value, places=6):
    """A Decimal as a JSON number."""
    text = show(value, places)
    return float(text) if "." in text else int(text)


def clean(text, width=SHOWN_WIDTH):
    """A cell fit for a line of output: control characters escaped, long ones cut."""
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text[: width + 1])
    return text if len(text) <= width else text[: width - 1] + "…"


def quoted(text):
    return '"%s"' % clean(text)


def shown_path(path):
    return "standard input" if path == "-" else clean(path, 200)


def plural(count, noun):
    return "%d %s" % (count, noun if count == 1 else noun + "s")


def grid(titles, rows, left=()):
    """Lines of a table with two blanks between columns; every column but those named in left is right-aligned."""
    cells = [list(titles)] + [list(row) for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(titles))]
    return [
        "  ".join(
            cell.ljust(width) if title in left else cell.rjust(width) for cell, width, title in zip(row, widths, titles)
        ).rstrip()
        for row in cells
    ]


def print_json(value):
    print(json.dumps(value, ensure_ascii=False, indent=2))


def arguments(name, description, epilog):
    """A parser with what all scripts share: FILE, --delimiter, --decimal, --json."""
    parser = argparse.ArgumentParser(
        prog=name,
        description=description,
        epilog=epilog,
        allow_abbrev=False,
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, width=100),
    )
    parser.add_argument("file", metavar="FILE", help='CSV file, or "-" for standard input')
    parser.add_argument("--delimiter", type=delimiter_argument, metavar="CHAR", help='default: found out; "tab" for a tab')
    parser.add_argument("--decimal", type=decimal_argument, default=".", metavar="CHAR", help='"." (default) or "," as in 1.234,50')
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser


def delimiter_argument(text):
    text = "\t" if text in ("tab", "\\t") else text
    if len(text) != 1 or text in '"\r\n':
        raise argparse.ArgumentTypeError("a delimiter is one character (or the word tab)")
    return text


def decimal_argument(text):
    if text not in (".", ","):
        raise argparse.ArgumentTypeError('the decimal sign is "." or ","')
    return text


def count_argument(text):
    if not re.fullmatch("[0-9]{1,6}", text) or int(text) == 0:
        raise argparse.ArgumentTypeError("expected a whole number from 1 to 999999")
    return int(text)


def run(main):
    """Runs a script: UTF-8 output whatever the locale; 0 done, 1 failure, 2 usage."""
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    try:
        code = main() or 0
        sys.stdout.flush()
    except Usage as problem:
        print("error: %s" % problem, file=sys.stderr)
        code = 2
    except Failure as problem:
        print("error: %s" % problem, file=sys.stderr)
        code = 1
    except BrokenPipeError:
        # The reader has gone; closing the descriptor keeps the interpreter from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        code = 1
    sys.exit(code)


EXAMPLES = """examples:
  rows.py orders.csv                 the first 5 rows
  rows.py orders.csv --line 18 -n 1  the row that starts at line 18 of the file

exit codes: 0 done, 1 the file can't be read or has no row there, 2 wrong arguments"""


def main():
    parser = arguments("rows.py", "Prints rows of a CSV file as the other scripts read them, by line number.", EXAMPLES)
    parser.add_argument("--line", type=count_argument, default=1, metavar="L", help="start at this line of the file")
    parser.add_argument("-n", "--count", type=count_argument, default=5, metavar="N", help="how many rows (default 5)")
    args = parser.parse_args()
    table = read_table(args.file, args.delimiter)
    rows = [row for row in table.rows if row[0] >= args.line][: args.count]
    if not rows:
        last = "; the last row is at line %d" % table.rows[-1][0] if table.rows else ""
        raise Failure("no row at or after line %d%s" % (args.line, last))
    if args.json:
        print_json([{"line": line, "cells": dict(zip(table.header, cells))} for line, cells in rows])
        return
    titles = ["line"] + [clean(name) for name in table.header]
    for text in grid(titles, [[str(line)] + [clean(cell) for cell in cells] for line, cells in rows], left=titles[1:]):
        print(text)
    for issue in table.issues:
        print("note: %s" % issue)


if __name__ == "__main__":
    run(main)
