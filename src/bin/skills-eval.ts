#!/usr/bin/env node
import { main } from '../cli/main.ts'

process.exitCode = await main('skills-eval', process.argv.slice(2))
