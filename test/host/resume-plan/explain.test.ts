import { expect, test } from 'vitest'
import { asAgentNumber, asCallKey, asCallPath } from '../../../src/shared/index.ts'
import { compareCalls, Explanations, type CallText, type EarlierCall } from '../../../src/host/resume-plan/explain.ts'

const call = (prompt: string, options: CallText['options'] = {}): CallText => ({ prompt, options })

function earlier(agent: number, path: string, key: string, more: Partial<EarlierCall> = {}): EarlierCall {
  const ids = { agent: asAgentNumber(agent), path: asCallPath(path), key: asCallKey(key) }
  return { ...ids, label: `call ${agent}`, status: 'completed', ...more }
}

const coming = (path: string, key: string, text: CallText) => ({
  ...text,
  path: asCallPath(path),
  key: asCallKey(key),
  label: 'new',
})

test('two calls differ by prompt and options, not by label and phase', () => {
  const before = call('same', { label: 'a', phase: 'P', model: 'small', effort: 'low' })
  expect(compareCalls(before, call('same', { label: 'b', effort: 'low', allowedTools: ['read'] }))).toEqual([
    { field: 'options.allowedTools', before: null, after: '["read"]' },
    { field: 'options.model', before: '"small"', after: null },
  ])
  expect(compareCalls(before, { ...before })).toEqual([])
})

test('a long prompt is shown around the place where it differs, and no character is cut', () => {
  const start = `${'🦊'.repeat(300)} `
  const [change] = compareCalls(call(`${start}old end`), call(`${start}new end`))
  expect(change?.before).toMatch(/^…(🦊)+ old end$/u)
  expect(change?.after).toMatch(/^…(🦊)+ new end$/u)
})

test('an earlier call explains one call only, the nearest of the same scope first', () => {
  const texts = new Map([
    [1, call('look at the tests')],
    [2, call('write the report')],
    [3, call('look at the docs')],
  ])
  const unused = [
    earlier(1, '/agent:0', 'k1'),
    earlier(2, '/agent:1', 'k2'),
    earlier(3, '/parallel:0/branch:0/agent:0', 'k3'),
  ]
  const why = new Explanations(unused, (agent) => texts.get(agent))
  expect(why.explain(coming('/agent:4', 'n1', call('write the long report')))).toMatchObject({
    kind: 'changed',
    agent: 2,
  })
  expect(why.explain(coming('/agent:5', 'n2', call('write the long report')))).toMatchObject({
    kind: 'changed',
    agent: 1,
  })
  expect(why.explain(coming('/agent:6', 'n3', call('look at the docs')))).toEqual({ kind: 'new' })
})

test('the same call without a result is named with how it ended', () => {
  const why = new Explanations([earlier(1, '/agent:0', 'k1', { status: 'skipped' })], () => call('a'))
  expect(why.explain(coming('/agent:0', 'k1', call('a')))).toEqual({
    kind: 'unfinished',
    agent: 1,
    status: 'skipped',
  })
})
