#!/usr/bin/env node
import { randomUUID } from 'node:crypto'

console.log(`version: ${process.argv[2]}\nbuilt: ${new Date().toISOString()}\nbuild: ${randomUUID()}`)
