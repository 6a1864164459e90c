import sys

print("before the end")
print("what went wrong", file=sys.stderr)
sys.exit(3)
