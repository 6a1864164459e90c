import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { actionParamSchemas, actionTypes } from '../schema/action.ts'
import { type ActionType, actionTypeOf, formatSkillRef, mainParam, normalizeParams, parseSkillRef } from './actions.ts'

describe('the name of an action', () => {
  test.each<[string, ActionType | undefined]>([
    ['run_script', 'run_script'],
    ['read_skill', 'select_skills'],
    ['use_skill', 'select_skills'],
    ['activate_skill', 'select_skills'],
    ['load_skill', 'select_skills'],
    ['runScript', undefined],
    ['', undefined],
    ['constructor', undefined],
    ['__proto__', undefined],
    ['toString', undefined],
  ])('%s is %s', (name, type) => {
    expect(actionTypeOf(name)).toBe(type)
  })

  test('is known for every action, with a main parameter that it has', () => {
    for (const type of actionTypes) {
      expect(actionTypeOf(type)).toBe(type)
      expect(Object.keys(actionParamSchemas[type].shape)).toContain(mainParam(type))
    }
  })
})

describe('a reference to a skill', () => {
  test.each([
    ['csv-analyzer', { name: 'csv-analyzer' }],
    ['csv-analyzer@project', { name: 'csv-analyzer', source: 'project' }],
    ['a@b@user', { name: 'a@b', source: 'user' }],
    ['@scope', { name: '@scope' }],
    ['name@', { name: 'name@' }],
    ['', { name: '' }],
  ])('%j', (written, ref) => {
    expect(parseSkillRef(written)).toEqual(ref)
    expect(formatSkillRef(ref)).toBe(written)
  })
})

describe('a short form', () => {
  test.each<[ActionType, unknown, unknown]>([
    ['read_file', 'data.csv', { path: 'data.csv' }],
    ['grep', 'TODO', { pattern: 'TODO' }],
    ['call_tool', 'web_search', { tool: 'web_search' }],
    ['search_skills', 'csv', { query: 'csv' }],
    ['network_request', 'https://a.b/', { url: 'https://a.b/' }],
    ['select_skills', 'csv', { skills: [{ name: 'csv' }] }],
    ['select_skills', 'csv@user', { skills: [{ name: 'csv', source: 'user' }] }],
    ['select_skills', ['csv', { name: 'log' }], { skills: [{ name: 'csv' }, { name: 'log' }] }],
    ['select_skills', { skills: 'csv', reason: 'why' }, { skills: [{ name: 'csv' }], reason: 'why' }],
    ['select_skills', { skill: 'csv' }, { skills: [{ name: 'csv' }] }],
    ['select_skills', { skill_name: 'csv', reason: 'why' }, { skills: [{ name: 'csv' }], reason: 'why' }],
    ['select_skills', { name: 'csv', source: 'user' }, { skills: [{ name: 'csv', source: 'user' }] }],
    ['select_skills', {}, {}],
    ['select_skills', { reason: 'why' }, { reason: 'why' }],
    ['run_script', { skill: 'csv', path: 'a.py' }, { skill: { name: 'csv' }, path: 'a.py' }],
    ['load_resource', { skill: { name: 'csv' }, path: 'a.md' }, { skill: { name: 'csv' }, path: 'a.md' }],
    ['final_answer', 'Done.', { text: 'Done.' }],
    ['final_answer', 42, { text: '42' }],
    ['final_answer', null, { text: '' }],
    ['final_answer', { json: null }, { json: null }],
    ['update_plan', [{ id: '1' }], { steps: [{ id: '1' }] }],
    ['list_dir', null, {}],
  ])('%s: %j', (type, written, params) => {
    expect(normalizeParams(type, written)).toEqual(params)
  })

  test.each(actionTypes)('of %s that is missing has no parameters', (type) => {
    expect(normalizeParams(type, undefined)).toEqual({})
  })

  test('brought to its full shape stays as it is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...actionTypes), fc.jsonValue(), (type, written) => {
        const once = normalizeParams(type, written)
        expect(normalizeParams(type, once)).toEqual(once)
      }),
    )
  })
})
