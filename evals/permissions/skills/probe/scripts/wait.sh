#!/usr/bin/env bash
sleep "$1"
echo "waited"
