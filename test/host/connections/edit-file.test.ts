import fc from 'fast-check'
import { parse as parseJsonc } from 'jsonc-parser'
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml, stringify as stringifyYaml } from 'yaml'
import { setEntry } from '../../../src/host/connections/edit-file.ts'
import { HARNESSES, type Harness } from '../../../src/host/connections/harnesses.ts'

const bridge = { command: '/usr/bin/node', args: ['/a folder/weft.mjs', 'mcp'], env: {} }
const harness = (id: string): Harness => {
  const found = HARNESSES.find((known) => known.id === id)
  if (found === undefined) throw new Error(id)
  return found
}
const put = (id: string, text: string): string => setEntry(harness(id), text, harness(id).entry(bridge)).text
const drop = (id: string, text: string): string => setEntry(harness(id), text, undefined).text

/** Whether `after` is `before` with something put in in one piece. */
function isInsertedInto(before: string, after: string): boolean {
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  // In one piece: what came after where they part comes at the end.
  return after.endsWith(before.slice(start))
}

describe.each(HARNESSES.map(({ id }) => id))('%s', (id) => {
  test('an entry put into nothing is there, put again changes nothing, and leaves with nothing of it', () => {
    const once = put(id, '')
    expect(once).toContain('/a folder/weft.mjs')
    expect(put(id, once)).toBe(once)
    expect(setEntry(harness(id), once, harness(id).entry(bridge)).state).toBe('connected')
    expect(drop(id, once)).not.toContain('weft')
    expect(drop(id, '')).toBe('')
  })

  test('keys that the user added to the entry stay when another of them is put right', () => {
    const { format, container } = harness(id)
    const value = { [container]: { weft: { ...harness(id).entry({ ...bridge, command: 'outdated' }), mine: 'kept' } } }
    const text =
      format === 'toml' ? stringifyToml(value) : format === 'yaml' ? stringifyYaml(value) : JSON.stringify(value)
    const next = put(id, text)
    expect(next).toContain('kept')
    expect(next).not.toContain('outdated')
  })
})

const FILES = {
  opencode: '{\n\t// mine\n\t"theme": "dark", /* why */\n\t"mcp": {\n\t\t"other": { "type": "remote" },\n\t},\n}\n',
  zed: '// Zed settings\n{\n  "vim_mode": true,\n  "context_servers": {}\n}\n',
  codex:
    '# mine\nmodel = "x" # why\r\n\n[mcp_servers.other] # that\ncommand = "o"\n\n# of the next\n[tui]\ntheme = "a"\n',
  goose:
    '# mine\nGOOSE_MODEL: x # why\nextensions:\n    # of other\n    other:\n        enabled: true\n\nlast: [1,   2]\n',
}

test.each(Object.entries(FILES))('%s: comments, spacing and others’ entries stay byte for byte', (id, text) => {
  const next = put(id, text)
  expect(isInsertedInto(text, next)).toBe(true)
  for (const line of text.split('\n').filter((one) => /mine|why|of |last|theme|other/.test(one)))
    expect(next).toContain(line)
  expect(put(id, next)).toBe(next)
  if (id === 'goose') expect(drop(id, next)).toBe(text)
  if (id === 'codex') expect(drop(id, next).trimEnd()).toBe(text.trimEnd())
})

test.each([
  ['opencode', '{\n  "mcp": {,}\n}', '2:11'],
  ['claude-code', '{\n  // no comments here\n}', '2:3'],
  ['codex', 'a = 1\nb = = 2\n', '2:'],
  ['goose', 'a: 1\nb: [1\n', ':'],
])('%s: a text that can’t be parsed is refused with line and column', (id, text, place) => {
  expect(() => put(id, text)).toThrow(place)
  expect(() => put(id, text)).toThrow('nothing was touched')
})

test.each([
  ['opencode', '[]'],
  ['opencode', '{"mcp": []}'],
  ['opencode', '{"mcp": {"weft": 1}}'],
  ['codex', 'mcp_servers = { other = { command = "o" } }\n'],
  ['codex', 'text = """\n[mcp_servers.weft]\n"""\n[mcp_servers.weft]\ncommand = "x"\n'],
  ['goose', 'extensions: {other: {enabled: true}}\n'],
])('%s: %j is refused rather than edited wrongly', (id, text) => {
  expect(() => put(id, text)).toThrow('nothing was touched')
})

// Keys of a prototype mean something else to parsers; a file of settings has none.
const key = fc.stringMatching(/^[a-z][a-z_-]{0,8}$/).filter((name) => name !== 'weft' && !(name in Object.prototype))
const leaf = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer({ min: -1e6, max: 1e6 }), fc.boolean())
const server = fc.dictionary(key, leaf, { maxKeys: 3, noNullPrototype: true })
const other = fc.dictionary(key, fc.oneof(leaf, server), { maxKeys: 4, noNullPrototype: true })

test.each<[string, (value: object) => string, (text: string) => unknown]>([
  ['opencode', (value: object) => `// top\n${JSON.stringify(value, null, 4)}\n`, (text) => parseJsonc(text)],
  ['cursor', (value: object) => JSON.stringify(value), (text) => parseJsonc(text)],
  ['codex', (value: object) => `# top\n${stringifyToml(value)}\n# end\n`, (text) => parseToml(text)],
  ['goose', (value: object) => `# top\n${stringifyYaml(value)}# end\n`, (text) => parseYaml(text)],
])('%s: whatever else a file holds survives putting in and taking out', (id, write, read) => {
  const { container } = harness(id)
  fc.assert(
    fc.property(
      other,
      fc.dictionary(key, server, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
      (rest, servers) => {
        const before = write({ ...rest, [container]: servers })
        const after = put(id, before)
        expect(isInsertedInto(before, after)).toBe(true)
        expect(read(drop(id, after))).toEqual(read(before))
      },
    ),
    { numRuns: 60 },
  )
})
