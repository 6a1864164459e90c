#!/usr/bin/env python3
"""Profiles a CSV file: each column's type, gaps, range and mean, and what is wrong with the file."""

import sys

sys.dont_write_bytecode = True

from collections import Counter
from decimal import Decimal

import rows as t

MAX_DISTINCT = 10_000

EXAMPLES = """examples:
  profile.py sales.csv
  profile.py export.csv --delimiter ';' --decimal , --json

exit codes: 0 done, 1 the file can't be analysed, 2 wrong arguments"""


def main():
    args = t.arguments("profile.py", __doc__, EXAMPLES).parse_args()
    table = t.read_table(args.file, args.delimiter)
    columns = [profile(table, i, args.decimal) for i in range(len(table.header))]
    issues = table.issues + duplicates(table.rows) + ["%s: %s" % (t.clean(c["name"]), c["odd"]) for c in columns if c["odd"]]
    if not table.rows:
        issues.append("no rows below the header")
    if args.json:
        t.print_json({
            "file": args.file,
            "rows": len(table.rows),
            "delimiter": delimiter_name(table),
            "encoding": table.encoding,
            "columns": [{k: v for k, v in c.items() if k != "odd" and v is not None} for c in columns],
            "issues": issues,
        })
        return
    print("file: %s" % t.shown_path(args.file))
    print("rows: %d, columns: %d, delimiter: %s, encoding: %s" % (len(table.rows), len(columns), delimiter_name(table), table.encoding))
    print()
    titles = ("column", "type", "missing", "distinct", "min", "max", "mean", "most frequent")
    for line in t.grid(titles, [row(c) for c in columns], left=("column", "type", "most frequent")):
        print(line)
    print()
    print("issues:" if issues else "issues: none")
    for issue in issues:
        print("- %s" % issue)


def profile(table, column, decimal):
    kinds, values, odd_line = Counter(), Counter(), {}
    total, count, low, high, first, last, crowded = Decimal(0), 0, None, None, None, None, False
    for line, cells in table.rows:
        cell = cells[column].strip()
        kind = t.kind(cell, decimal)
        kinds[kind] += 1
        if kind == "missing":
            continue
        group = "numeric" if kind in ("integer", "number") else kind
        odd_line.setdefault(group, (line, cell))
        if cell in values or len(values) < MAX_DISTINCT:
            values[cell] += 1
        else:
            crowded = True
        if group == "numeric":
            value = t.number(cell, decimal)
            total, count = total + value, count + 1
            low = value if low is None or value < low else low
            high = value if high is None or value > high else high
        elif kind == "date":
            first = cell if first is None or cell < first else first
            last = cell if last is None or cell > last else last
    present = len(table.rows) - kinds["missing"]
    type_, odd = settle(kinds, present, odd_line)
    other = "," if decimal == "." else "."
    if type_ == "text" and all(t.number(value, other) is not None for value in values):
        odd = 'every cell is a number if the decimal sign is "%s"; try --decimal %s' % (other, other)
    numeric = count > 0 and (type_ in ("integer", "number") or (type_ == "mixed" and count * 2 > present))
    return {
        "name": table.header[column],
        "type": type_,
        "missing": kinds["missing"],
        "distinct": "%d+" % MAX_DISTINCT if crowded else len(values),
        "min": t.plain(low) if numeric else first if type_ == "date" else None,
        "max": t.plain(high) if numeric else last if type_ == "date" else None,
        "mean": t.plain(total / count, 4) if numeric else None,
        "top": frequent(values) if type_ in ("text", "boolean", "mixed") and not crowded else None,
        "odd": odd,
    }


def settle(kinds, present, odd_line):
    """The column's type, and what stands out where the cells disagree."""
    groups = {
        "numeric": kinds["integer"] + kinds["number"],
        "boolean": kinds["boolean"],
        "date": kinds["date"],
        "text": kinds["text"],
    }
    if present == 0:
        return "empty", None
    main_group = max(groups, key=lambda g: groups[g])
    if groups[main_group] == present:
        return ("number" if kinds["number"] else "integer") if main_group == "numeric" else main_group, None
    if main_group == "text":
        return "text", None
    others = [odd_line[g] for g in groups if g != main_group and groups[g]]
    line, cell = min(others)
    expected = {"numeric": "a number", "date": "a date", "boolean": "true or false"}[main_group]
    return "mixed", "%d of %d not %s, first at line %d: %s" % (
        present - groups[main_group], present, expected, line, t.quoted(cell))


def frequent(values):
    ranked = sorted(values.items(), key=lambda item: (-item[1], item[0]))
    return [{"value": value, "count": count} for value, count in ranked[:3] if count > 1] or None


def duplicates(rows):
    seen, repeated = set(), []
    for line, cells in rows:
        key = tuple(cells)
        if key in seen:
            repeated.append(line)
        seen.add(key)
    if not repeated:
        return []
    shown = ", ".join(str(line) for line in repeated[:5]) + (", …" if len(repeated) > 5 else "")
    return ["%s (line %s)" % (t.plural(len(repeated), "duplicate row"), shown)]


def delimiter_name(table):
    return t.DELIMITERS.get(table.delimiter, table.delimiter)


def row(column):
    def cell(key):
        return "-" if column[key] is None else t.clean(str(column[key]))

    top = ", ".join("%s (%d)" % (t.clean(v["value"], 20), v["count"]) for v in column["top"] or [])
    return (t.clean(column["name"]), column["type"], cell("missing"), cell("distinct"), cell("min"), cell("max"), cell("mean"), top or "-")


if __name__ == "__main__":
    t.run(main)
