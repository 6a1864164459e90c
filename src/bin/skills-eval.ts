#!/usr/bin/env node
import { main } from '../cli/main.ts'

void main('skills-eval', process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
