import { describe, expect, test } from 'vitest'
import { pageMessages, readMessage, type PageMessages } from '../../src/main/page-messages.ts'

const own = { frameUrl: 'app://weft/index.html', isMainFrame: true }

const GOOD: { [Name in keyof PageMessages]: PageMessages[Name][] } = {
  'weft:listening': [null],
  'weft:commands': [[], ['save', 'dry-run']],
  'weft:pick-file': [
    { purpose: 'open', kind: 'workflow' },
    { purpose: 'save', kind: 'run', suggestedName: 'two steps.jsonl' },
  ],
  'weft:act': ['open-folder', 'show-logs', 'check-for-updates'],
}

const BAD: { [Name in keyof PageMessages]: unknown[] } = {
  'weft:listening': [undefined, 1, {}],
  'weft:commands': [undefined, 'save', [1], ['save', 'save'], ['format-disk'], { length: 1 }],
  'weft:pick-file': [
    undefined,
    {},
    { purpose: 'delete', kind: 'run' },
    { purpose: 'open', kind: 'shell' },
    { purpose: 'save', kind: 'run', suggestedName: '../../.bashrc' },
    { purpose: 'save', kind: 'run', suggestedName: 'a\\b.jsonl' },
    { purpose: 'save', kind: 'run', suggestedName: 'a\u0000.jsonl' },
    { purpose: 'save', kind: 'run', suggestedName: '' },
    { purpose: 'save', kind: 'run', path: '/etc/passwd' },
  ],
  'weft:act': [undefined, 'quit', ['open-folder'], { action: 'open-folder' }],
}

const NAMES = Object.keys(pageMessages) as (keyof PageMessages)[]

describe.each(NAMES)('%s', (name) => {
  test('is taken as it is meant', () => {
    expect(GOOD[name].map((input) => readMessage(name, own, input))).toEqual(GOOD[name])
  })

  test.each(BAD[name].map((input) => [JSON.stringify(input) ?? 'nothing', input]))('refuses %s', (_title, input) => {
    expect(() => readMessage(name, own, input)).toThrow(`${name}: this message is not understood`)
  })

  test.each([
    ['a page of the web', { frameUrl: 'https://example.com/', isMainFrame: true }],
    ['a frame inside the page', { frameUrl: 'app://weft/index.html', isMainFrame: false }],
    ['a frame that is gone', { frameUrl: undefined, isMainFrame: true }],
    ['an address that only begins like ours', { frameUrl: 'app://weft.evil/index.html', isMainFrame: true }],
  ])('is refused to %s', (_title, sender) => {
    expect(() => readMessage(name, sender, GOOD[name][0])).toThrow("only the window's own page")
  })
})
