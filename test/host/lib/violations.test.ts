import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { compileCheck, compileLenientCheck } from '../../../src/host/lib/violations.ts'
import { callSchemas } from '../../../src/shared/contract/call-schemas.ts'

describe('violations of a schema', () => {
  test('are all named, each with its path and what was given', () => {
    const check = compileCheck(callSchemas['run.start'])
    expect(check({ workspace: '', source: { kind: 'path' }, agents: 1, maxAgents: 0, model: 3 })).toEqual([
      'agents is not known: did you mean maxAgents?',
      'workspace must not be empty',
      'source.path is missing',
      'model must be string, not 3',
      'maxAgents must be >= 1, not 0',
    ])
  })

  test('of a union name the forms it may have, not each branch', () => {
    const check = compileCheck(callSchemas['run.start'])
    const valid = { workspace: '/w' }
    expect(check({ ...valid, source: { kind: 'url', path: 'x' } })).toEqual([
      'source.kind must be one of "path", "name", "text", not "url"',
    ])
    expect(check({ ...valid, source: {} })).toEqual(['source.kind is missing: one of "path", "name", "text"'])
    expect(check({ ...valid, source: 'x.js' })).toHaveLength(1)
  })

  test('of a choice of words list the words', () => {
    const check = compileCheck(callSchemas['host.hello'])
    expect(check({ apiVersion: 1, client: { kind: 'web' } })).toEqual([
      'client.kind must be one of "cli", "window", "browser", "harness", "test", not "web"',
    ])
  })

  test('of a choice of types list the types', () => {
    const check = compileCheck(callSchemas['workflows.save'])
    expect(check({ path: 'x', text: '', baseHash: 3 })).toEqual(['baseHash must be string or null, not 3'])
  })

  test('unescape the parts of a path', () => {
    const check = compileCheck(Type.Record(Type.String(), Type.Number()))
    expect(check({ 'a/b~c': 'x' })).toEqual(['a/b~c must be number, not "x"'])
  })

  test('keep fields that are not known apart when asked to', () => {
    const check = compileLenientCheck(Type.Object({ count: Type.Number() }, { additionalProperties: false }))
    expect(check({ count: 'x', b: 1 })).toEqual({
      violations: ['count must be number, not "x"'],
      unknown: ['b is not known: known are count'],
    })
  })
})
