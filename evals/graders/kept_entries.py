#!/usr/bin/env python3
"""The judged changelog keeps what collect.sh listed: each hash, each reference, each breaking mark, each section."""
import json
import os
import re
import sys
from collections import Counter

with open(os.environ["SKILLS_EVAL_TRIAL"], encoding="utf-8") as file:
    actions = json.load(file)["actions"]
runs = [a for a in actions if a["action"] == "run_script" and a["params"]["path"].endswith("collect.sh")]
if not runs:
    print(json.dumps({"pass": False, "message": "collect.sh was not run"}))
    sys.exit(1)

collected = runs[-1]["observation"].split("stdout:\n", 1)[-1].split("\nstderr:\n", 1)[0]
changelog = sys.stdin.read()


def counts(pattern, text):
    return Counter(re.findall(pattern, text, re.M))


def kept(name, pattern):
    lost = sorted(counts(pattern, collected) - counts(pattern, changelog))
    return {"name": name, "pass": not lost, "message": f"lost: {', '.join(lost)}" if lost else "all kept"}


checks = [
    kept("hashes", r"\b[0-9a-f]{7}\b"),
    kept("references", r"#\d+"),
    kept("breaking marks", r"\*\*BREAKING\*\*"),
    kept("sections", r"^### \w+"),
]
print(json.dumps({"checks": checks}))
