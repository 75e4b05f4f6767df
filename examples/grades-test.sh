#!/bin/sh
# What its author thought of.
set -e
test "$(./grades 90 70)" = "80: good"
test "$(./grades 12)" = "12: failed"
test "$(./grades 101 55)" = "55: fair"
