import { describe, expect, test } from 'vitest'
import { readCall, type CallSender } from '../../src/main/call-gate.ts'

const page: CallSender = { frameUrl: 'app://weft/index.html', isMainFrame: true }

function codeOf(sender: CallSender, name: unknown, json: unknown): string {
  const verdict = readCall(sender, name, json)
  return verdict.ok ? 'ok' : verdict.error.code
}

test('a call of the own page comes through with its parameters', () => {
  expect(readCall(page, 'run.get', '{"runId":"01H"}')).toEqual({
    ok: true,
    name: 'run.get',
    params: { runId: '01H' },
  })
})

describe('a message is refused', () => {
  test.each([
    ['of a frame inside the page', { frameUrl: 'app://weft/index.html', isMainFrame: false }],
    ['of a page from the web', { frameUrl: 'https://example.com/', isMainFrame: true }],
    ['of a file', { frameUrl: 'file:///tmp/x.html', isMainFrame: true }],
    ['of an empty frame', { frameUrl: 'about:blank', isMainFrame: true }],
    ['of a frame that is gone', { frameUrl: undefined, isMainFrame: true }],
  ])('when it is one %s', (_case, sender) => {
    expect(codeOf(sender, 'host.status', '{}')).toBe('NOT_ALLOWED')
  })

  test.each([[undefined], [42], [''], ['x'.repeat(101)], [{ toString: () => 'host.status' }]])(
    'when its name is %s',
    (name) => {
      expect(codeOf(page, name, '{}')).toBe('BAD_REQUEST')
    },
  )

  test.each([[undefined], [{}], [new Map()], ['{"a":'], ['undefined'], ['']])('when its parameters are %s', (json) => {
    expect(codeOf(page, 'host.status', json)).toBe('BAD_REQUEST')
  })

  test('when it is longer than any wire takes', () => {
    expect(codeOf(page, 'host.status', `"${'x'.repeat(16 * 1024 * 1024)}"`)).toBe('BAD_REQUEST')
  })
})

test('an own __proto__ key in the parameters is data', () => {
  const verdict = readCall(page, 'settings.set', '{"__proto__":{"polluted":true}}')
  expect(verdict.ok && Object.keys(verdict.params as object)).toEqual(['__proto__']) // JSON objects are objects
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined() // only asks for the field
})
