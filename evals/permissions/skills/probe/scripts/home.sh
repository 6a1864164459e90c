#!/usr/bin/env bash
# Leaves something in HOME, and says whether something was left there before.
ls -A "$HOME" | grep -c left
touch "$HOME/left"
