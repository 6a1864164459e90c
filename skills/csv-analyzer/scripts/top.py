#!/usr/bin/env python3
"""Prints the rows of a CSV file with the largest (or smallest) numbers in one column."""

import sys

sys.dont_write_bytecode = True

import rows as t

EXAMPLES = """examples:
  top.py sales.csv --by revenue
  top.py sales.csv --by revenue -n 5 --ascending --show month --show revenue

Ties keep the order of the file. Cells without a number are left out and counted.
exit codes: 0 done, 1 the file can't be analysed, 2 wrong arguments"""


def main():
    parser = t.arguments("top.py", __doc__, EXAMPLES)
    parser.add_argument("--by", required=True, metavar="COLUMN", help="the column to rank by")
    parser.add_argument("-n", "--count", type=t.count_argument, default=3, metavar="N", help="how many rows (default 3)")
    parser.add_argument("--ascending", action="store_true", help="smallest first")
    parser.add_argument("--show", action="append", metavar="COLUMN", help="a column to print; repeatable (default: the first 8)")
    args = parser.parse_args()
    table = t.read_table(args.file, args.delimiter)
    by = table.index(args.by)
    shown = [table.index(name) for name in args.show] if args.show else list(range(min(8, len(table.header))))
    if by not in shown:
        shown.append(by)
    numbers = table.numbers(by, args.decimal)
    ranked = sorted(numbers, key=lambda pair: pair[1] if args.ascending else -pair[1])[: args.count]
    left_out = len(table.rows) - len(numbers)
    if args.json:
        t.print_json({
            "by": table.header[by],
            "rows": len(table.rows),
            "left_out": left_out,
            "top": [
                {"rank": rank, "line": table.rows[p][0], "value": t.plain(value),
                 "cells": {table.header[i]: table.rows[p][1][i] for i in shown}}
                for rank, (p, value) in enumerate(ranked, 1)
            ],
            "issues": table.issues,
        })
        return
    titles = ["rank", "line"] + [t.clean(table.header[i]) for i in shown]
    rows = [
        [str(rank), str(table.rows[p][0])] + [t.show(value) if i == by else t.clean(table.rows[p][1][i].strip()) for i in shown]
        for rank, (p, value) in enumerate(ranked, 1)
    ]
    left = [t.clean(table.header[i]) for i in shown if i != by and not all(number_like(r[2 + shown.index(i)], args.decimal) for r in rows)]
    for line in t.grid(titles, rows, left=left):
        print(line)
    print()
    print("%d of %s shown; rows without a number in %s: %d" % (
        len(ranked), t.plural(len(table.rows), "row"), t.clean(table.header[by]), left_out))
    for issue in table.issues:
        print("note: %s" % issue)


def number_like(cell, decimal):
    return t.is_missing(cell) or t.number(cell, decimal) is not None


if __name__ == "__main__":
    t.run(main)
