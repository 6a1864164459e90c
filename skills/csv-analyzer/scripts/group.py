#!/usr/bin/env python3
"""Groups the rows of a CSV file and sums a column: totals, means, shares and growth per group."""

import sys

sys.dont_write_bytecode = True

from decimal import Decimal

import rows as t

EXAMPLES = """examples:
  group.py orders.csv --by region --sum revenue
  group.py orders.csv --by order_date --period month --sum revenue --change
  group.py orders.csv --by region --by product            (counts rows only)

Largest sum first, then by name; --change and --sort key order by name.
exit codes: 0 done, 1 the file can't be analysed, 2 wrong arguments"""

MAX_GROUPS = 100_000


def main():
    parser = t.arguments("group.py", __doc__, EXAMPLES)
    parser.add_argument("--by", required=True, action="append", metavar="COLUMN", help="group by this column; repeatable, up to 3")
    parser.add_argument("--sum", metavar="COLUMN", help="the column to sum (default: only count rows)")
    parser.add_argument("--period", choices=("month", "quarter", "year"), help="cut ISO dates of the first --by column to this")
    parser.add_argument("--change", action="store_true", help="add the change against the group before, in percent")
    parser.add_argument("--sort", choices=("value", "key"), help="order of the groups (default value; key with --change)")
    parser.add_argument("-n", "--count", type=t.count_argument, default=50, metavar="N", help="how many groups to print (default 50)")
    args = parser.parse_args()
    if len(args.by) > 3:
        parser.error("at most 3 --by columns")
    if args.change and args.sort == "value":
        parser.error("--change compares neighbours, so it needs --sort key")
    if args.change and not args.sum:
        parser.error("--change needs --sum")
    table = t.read_table(args.file, args.delimiter)
    keys = [table.index(name) for name in args.by]
    measure = table.index(args.sum) if args.sum else None
    groups, skipped = collect(table, keys, measure, args)
    by_key = args.change or args.sort == "key"
    ordered = sorted(groups.items(), key=lambda g: (0 if by_key else -(g[1][1] if args.sum else g[1][0]), g[0]))
    total_rows = sum(rows for rows, _, _ in groups.values())
    total = sum((s for _, s, _ in groups.values()), Decimal(0))
    lines = []
    before = None
    for key, (rows, value, numbers) in ordered:
        lines.append({
            "group": list(key),
            "rows": rows,
            "sum": value if args.sum else None,
            "mean": value / numbers if args.sum and numbers else None,
            "share": 100 * value / total if args.sum and total > 0 and value >= 0 else None,
            "change": 100 * (value - before) / abs(before) if args.change and before else None,
        })
        before = value
    notes = list(table.issues)
    if skipped:
        notes.append("%s without a number in %s, counted as rows but not summed" % (t.plural(skipped, "row"), t.clean(args.sum)))
    if len(lines) > args.count:
        notes.append("%d more groups not shown; raise --count" % (len(lines) - args.count))
    if args.json:
        print_groups_json(lines[: args.count], table, keys, args, total_rows, total, notes)
    else:
        print_groups(lines[: args.count], table, keys, args, total_rows, total, notes)


def collect(table, keys, measure, args):
    """Groups as key → (rows, sum, numbers), and how many rows had no number to sum."""
    if measure is not None:
        table.numbers(measure, args.decimal)
    groups, skipped, undated = {}, 0, None
    for line, cells in table.rows:
        key = tuple("(missing)" if t.is_missing(cells[i]) else cells[i].strip() for i in keys)
        if args.period and key[0] != "(missing)":
            when = t.iso_date(key[0])
            if when is None:
                undated = undated or (line, key[0])
                key = ("(no date)",) + key[1:]
            else:
                key = (period(when, args.period),) + key[1:]
        rows, value, numbers = groups.get(key, (0, Decimal(0), 0))
        if measure is not None:
            cell = cells[measure]
            amount = None if t.is_missing(cell) else t.number(cell, args.decimal)
            if amount is None:
                skipped += 1
            else:
                value, numbers = value + amount, numbers + 1
        groups[key] = (rows + 1, value, numbers)
        if len(groups) > MAX_GROUPS:
            raise t.Failure("more than %d groups; choose a coarser --by" % MAX_GROUPS)
    if undated and set(key[0] for key in groups) <= {"(no date)", "(missing)"}:
        raise t.Failure('--period needs ISO dates (2024-03-31); line %d has %s' % (undated[0], t.quoted(undated[1])))
    return groups, skipped


def period(when, unit):
    year, month = when
    return {"month": "%04d-%02d" % (year, month), "quarter": "%04d-Q%d" % (year, (month + 2) // 3), "year": "%04d" % year}[unit]


def print_groups(lines, table, keys, args, total_rows, total, notes):
    names = [t.clean(table.header[i]) for i in keys]
    titles = names + ["rows"] + (["sum", "mean", "share"] if args.sum else []) + (["change"] if args.change else [])
    rows = []
    for line in lines:
        row = [t.clean(part) for part in line["group"]] + [str(line["rows"])]
        if args.sum:
            row += [t.show(line["sum"]), number(line["mean"], 2), percent(line["share"])]
        if args.change:
            row.append(percent(line["change"], sign=True))
        rows.append(row)
    for text in t.grid(titles, rows, left=names):
        print(text)
    print()
    print("total: %s%s in %s" % (
        t.plural(total_rows, "row"), ", %s %s" % (t.clean(args.sum), t.show(total)) if args.sum else "", t.plural(len(lines), "group")))
    for note in notes:
        print("note: %s" % note)


def print_groups_json(lines, table, keys, args, total_rows, total, notes):
    t.print_json({
        "by": [table.header[i] for i in keys],
        "sum": args.sum,
        "groups": [
            {name: t.plain(value, 6 if name == "sum" else 4) if isinstance(value, Decimal) else value
             for name, value in line.items() if value is not None}
            for line in lines
        ],
        "total": {"rows": total_rows, "sum": t.plain(total) if args.sum else None},
        "issues": notes,
    })


def number(value, places):
    return "-" if value is None else t.show(value, places)


def percent(value, sign=False):
    if value is None:
        return "-"
    return format(value.quantize(Decimal("0.1")), "+f" if sign else "f") + "%"


if __name__ == "__main__":
    t.run(main)
