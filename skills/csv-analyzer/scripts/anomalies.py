#!/usr/bin/env python3
"""Finds the numbers of a CSV column that lie far from the others, by robust z-score (median and MAD)."""

import sys

sys.dont_write_bytecode = True

import argparse
import math
from statistics import median

import rows as t

EXAMPLES = """examples:
  anomalies.py orders.csv --column revenue
  anomalies.py orders.csv --column revenue --within product --threshold 5

The score is 0.6745 x (value - median) / MAD, as Iglewicz and Hoaglin define it; where more than half of the
values are equal (MAD 0) the mean absolute deviation takes its place. At least 5 numbers are needed.
exit codes: 0 done, 1 the file can't be analysed (with --check also: anomalies found), 2 wrong arguments"""

FEWEST = 5


def main():
    parser = t.arguments("anomalies.py", __doc__, EXAMPLES)
    parser.add_argument("--column", required=True, metavar="COLUMN", help="the column to look at")
    parser.add_argument("--within", metavar="COLUMN", help="compare only with rows of the same value in this column")
    parser.add_argument("--threshold", type=threshold, default=3.5, metavar="Z", help="how far is far (default 3.5)")
    parser.add_argument("-n", "--count", type=t.count_argument, default=20, metavar="N", help="how many to print (default 20)")
    parser.add_argument("--check", action="store_true", help="exit 1 when there is an anomaly")
    args = parser.parse_args()
    table = t.read_table(args.file, args.delimiter)
    column = table.index(args.column)
    within = table.index(args.within) if args.within else None
    numbers = table.numbers(column, args.decimal)
    groups = {}
    for position, value in numbers:
        cells = table.rows[position][1]
        key = "" if within is None else "(missing)" if t.is_missing(cells[within]) else cells[within].strip()
        groups.setdefault(key, []).append((position, value))
    notes = list(table.issues)
    found, tested = [], 0
    small = []
    for key, members in sorted(groups.items()):
        if len(members) < FEWEST:
            small.append("%s (%d)" % (t.clean(key), len(members)))
            continue
        tested += len(members)
        found += [(key, p, value, centre, z) for p, value, centre, z in score(members) if abs(z) > args.threshold]
    if not tested:
        raise t.Failure("%s; at least %d are needed to tell what is unusual" % (
            "no group has enough numbers" if within is not None else "only %s in %s" % (t.plural(len(numbers), "number"), t.quoted(args.column)), FEWEST))
    if small:
        notes.append("too few numbers to judge: %s" % ", ".join(small[:5] + (["…"] if len(small) > 5 else [])))
    found.sort(key=lambda f: (-abs(f[4]), f[1]))
    report(found, tested, table, column, within, args, notes)
    return 1 if args.check and found else 0


def score(members):
    """(row position, value, median, z) of each member."""
    values = [float(value) for _, value in members]
    centre = median(values)
    mad = median(abs(v - centre) for v in values)
    mean_deviation = math.fsum(abs(v - centre) for v in values) / len(values)
    if mad > 0:
        scale = mad / 0.6745
    elif mean_deviation > 0:
        scale = mean_deviation * 1.253314
    else:
        return []
    return [(position, value, centre, (float(value) - centre) / scale) for position, value in members]


def report(found, tested, table, column, within, args, notes):
    shown = found[: args.count]
    if len(found) > len(shown):
        notes.append("%d more anomalies not shown; raise --count" % (len(found) - len(shown)))
    if args.json:
        t.print_json({
            "column": table.header[column],
            "threshold": args.threshold,
            "tested": tested,
            "anomalies": [
                dict({"line": table.rows[p][0], "value": t.plain(value), "median": round(centre, 4), "z": round(z, 2)},
                     **({"group": key} if within is not None else {}))
                for key, p, value, centre, z in shown
            ],
            "issues": notes,
        })
        return
    if shown:
        # The first columns are there for recognising the row.
        context = [i for i in range(len(table.header)) if i not in (column, within)][:3]
        names = ([t.clean(table.header[within])] if within is not None else []) + [t.clean(table.header[i]) for i in context]
        titles = ["line", t.clean(table.header[column]), "median", "z"] + names
        rows = [
            [str(table.rows[p][0]), t.show(value), "%.10g" % centre, "%+.2f" % z]
            + ([t.clean(key)] if within is not None else [])
            + [t.clean(table.rows[p][1][i].strip(), 24) for i in context]
            for key, p, value, centre, z in shown
        ]
        for text in t.grid(titles, rows, left=names):
            print(text)
        print()
    print("%s among %s (|z| > %g)" % (
        "1 anomaly" if len(found) == 1 else "%d anomalies" % len(found), t.plural(tested, "number"), args.threshold))
    for note in notes:
        print("note: %s" % note)


def threshold(text):
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < 1000:
        raise argparse.ArgumentTypeError("expected a number above 0 and below 1000")
    return value


if __name__ == "__main__":
    t.run(main)
