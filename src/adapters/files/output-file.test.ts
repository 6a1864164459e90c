import { existsSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeFolder, openTextWriter, pointTo, writeNewText, writeText } from './output-file.ts'
import { tempFolder } from './temp-folder.test-support.ts'

describe('a text that is written in pieces', () => {
  test('appears whole when it is closed, and not before', () => {
    const folder = tempFolder()
    const path = join(folder, 'reports/run.json')
    const writer = openTextWriter(path)
    const pieces = Array.from({ length: 3000 }, (_, i) => `${i}: größe ${'x'.repeat(200)}\n`)
    for (const piece of pieces) writer.write(piece)
    expect(existsSync(path)).toBe(false)
    writer.close()
    expect(readFileSync(path, 'utf8')).toBe(pieces.join(''))
    expect(readdirSync(join(folder, 'reports'))).toEqual(['run.json'])
  })

  test('leaves the old file until then, and for good where it is discarded', () => {
    const folder = tempFolder({ 'run.json': 'old' })
    const writer = openTextWriter(join(folder, 'run.json'))
    writer.write('new'.repeat(200_000))
    expect(readFileSync(join(folder, 'run.json'), 'utf8')).toBe('old')
    writer.discard()
    writer.discard()
    expect(readFileSync(join(folder, 'run.json'), 'utf8')).toBe('old')
    expect(readdirSync(folder)).toEqual(['run.json'])
  })

  test('is not undone by a discard that comes too late', () => {
    const folder = tempFolder()
    const writer = openTextWriter(join(folder, 'a.txt'))
    writer.write('new')
    writer.close()
    writer.discard()
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('new')
  })

  test('leaves nothing behind where it can’t take its place', () => {
    const folder = tempFolder({ 'taken/x': '' })
    const writer = openTextWriter(join(folder, 'taken'))
    writer.write('text')
    expect(() => writer.close()).toThrow(`${folder}/taken can't be written: `)
    expect(readdirSync(folder)).toEqual(['taken'])
  })

  test('says what is wrong with its folder', () => {
    const folder = tempFolder({ file: '' })
    // Which of the two is up to the system.
    const why = "can't be written: (a part of its path is no folder|something else is in its place)"
    expect(() => writeText(join(folder, 'file/a.txt'), 'x')).toThrow(new RegExp(`file/a.txt ${why}`))
    expect(() => makeFolder(join(folder, 'file/sub'))).toThrow(new RegExp(`file/sub ${why}`))
    symlinkSync('gone', join(folder, 'reports'))
    expect(() => makeFolder(join(folder, 'reports/a'))).toThrow('something else is in its place')
  })
})

describe('a new file', () => {
  test('is written with its folder and its mode', () => {
    const folder = tempFolder()
    expect(writeNewText(join(folder, 'scripts/run.sh'), '#!/bin/sh\n', 0o755)).toBe(true)
    expect(readFileSync(join(folder, 'scripts/run.sh'), 'utf8')).toBe('#!/bin/sh\n')
    expect(statSync(join(folder, 'scripts/run.sh')).mode & 0o111).not.toBe(0)
  })

  test('never takes the place of one that is there', () => {
    const folder = tempFolder({ 'a.txt': 'mine' })
    expect(writeNewText(join(folder, 'a.txt'), 'yours')).toBe(false)
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('mine')
  })
})

describe('a pointer to the latest run', () => {
  test('points, and points on', () => {
    const folder = tempFolder({ 'run-1/x': '', 'run-2/x': '' })
    const link = join(folder, 'latest')
    pointTo(link, 'run-1')
    expect(readlinkSync(link)).toBe('run-1')
    pointTo(link, 'run-2')
    expect(readlinkSync(link)).toBe('run-2')
    expect(readdirSync(folder)).toEqual(['latest', 'run-1', 'run-2'])
  })

  test('replaces what led nowhere, and a file', () => {
    const folder = tempFolder()
    symlinkSync('gone', join(folder, 'latest'))
    pointTo(join(folder, 'latest'), 'run-1')
    expect(readlinkSync(join(folder, 'latest'))).toBe('run-1')
    writeFileSync(join(folder, 'other'), 'run-0\n')
    pointTo(join(folder, 'other'), 'run-1')
    expect(readlinkSync(join(folder, 'other'))).toBe('run-1')
  })

  test('never takes the place of a folder', () => {
    const folder = tempFolder({ 'latest/mine.txt': 'mine' })
    pointTo(join(folder, 'latest'), 'run-1')
    expect(readdirSync(folder)).toEqual(['latest'])
    expect(readFileSync(join(folder, 'latest/mine.txt'), 'utf8')).toBe('mine')
  })
})
