import { describe, expect, it } from 'vitest'
import { analyzeScript } from '../../../src/engine/script/analyze.ts'
import { brief, META } from './support/findings.ts'

describe('a script', () => {
  it.each([
    ['comments before meta', `// a\n/* b */\n${META}return 1`],
    ['a byte order mark', `\uFEFF${META}return 1`],
    ['an interpreter line', `#!/usr/bin/env node\n${META}return 1`],
    ['a blank first line', `\n\n${META}return 1`],
    ['CRLF', `// a\r\n\r\n${META.replace('\n', '\r\n')}return 1\r\n`],
    ['a directive before meta', `'use strict'\n${META}return 1`],
    [
      'words about imports',
      `${META}// import('y')\nconst p = \`import z from 'q'\`; await agent("uses require('x')" + p)`,
    ],
    ['box drawing and dashes in comments', `${META}// ──── a — b · c → d ────\nlog('👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ok')`],
    ['an own require', `${META}const require = (x) => x; return require('x')`],
    [
      'classes, getters and private fields',
      `${META}class A { #p = 1; get p() { return this.#p } static { this.q = 1 } }\nreturn new A().p`,
    ],
  ])('with %s is taken without a finding', (_what, text) => {
    const { diagnostics, prepared } = analyzeScript({ text, fileName: 'a.js', path: null })
    expect(diagnostics).toEqual([])
    expect(prepared?.meta).toEqual({ name: 'a', description: 'd' })
  })

  it('is hashed as written', () => {
    const hashOf = (text: string): string | undefined =>
      analyzeScript({ text, fileName: 'a.js', path: null }).prepared?.hash
    expect(hashOf(META)).toMatch(/^[0-9a-f]{64}$/)
    expect(hashOf(META)).toBe(hashOf(META))
    expect(hashOf(META)).not.toBe(hashOf(`\uFEFF${META}`))
  })

  it('tells where it calls agents and workflows, and leaves out names of its own', () => {
    const text = `${META}await agent('x')\nconst f = () => workflow('w')\nfunction g(agent) { agent('y') }`
    const { prepared } = analyzeScript({ text, fileName: 'a.js', path: null })
    expect(prepared?.callSites).toEqual([
      { hook: 'agent', line: 2, column: 7, endLine: 2, endColumn: 17 },
      { hook: 'workflow', line: 3, column: 17, endLine: 3, endColumn: 30 },
    ])
  })

  it('runs in spite of lints that say it will fail', () => {
    const { diagnostics, prepared } = analyzeScript({
      text: `${META}await parallel([agent('a')])`,
      fileName: 'a.js',
      path: null,
    })
    expect(diagnostics.map(({ severity, code }) => [severity, code])).toEqual([['error', 'lint/promise-given']])
    expect(prepared).toBeDefined()
  })
})

describe('what a script may not contain', () => {
  it('is refused at its place, each time', () => {
    const text = `${META}import x from 'y'\nawait import('node:fs')\nimport.meta.url\nrequire('x')\nexport const z = 1\nexport default 3\nexport * from 'z'\nexport { x }`
    expect(brief(text)).toEqual([
      '2:1 error refused/import',
      '3:7 error refused/dynamic-import',
      '4:1 error refused/import-meta',
      '5:1 error refused/require',
      '6:1 error refused/export',
      '7:1 error refused/export',
      '8:1 error refused/export',
      '9:1 error refused/export',
    ])
  })
})

describe('a file without meta', () => {
  it.each([
    ['a helper module', "import fs from 'node:fs'\nexport function help() { return fs }"],
    ['an empty file', ''],
    ['a comment', '// nothing'],
    ['JSX', 'export const App = () => <div>hello</div>'],
  ])('is called no workflow when it is %s', (_what, text) => {
    const { diagnostics, meta, prepared } = analyzeScript({ text, fileName: 'helpers.js', path: null })
    expect(diagnostics[0]).toMatchObject({ severity: 'error', code: 'meta/missing' })
    expect(diagnostics[0]?.message).toContain('helpers.js is not a workflow')
    expect({ meta, prepared }).toEqual({ meta: null, prepared: undefined })
  })

  it('that declares meta and forgot to export it learns so', () => {
    const [finding] = analyzeScript({ text: "const meta = { name: 'a' }", fileName: 'a.js', path: null }).diagnostics
    expect(finding).toMatchObject({
      code: 'meta/missing',
      line: 1,
      column: 1,
      fix: { text: 'export ', range: { line: 1, column: 1, endLine: 1, endColumn: 1 } },
    })
    expect(finding?.hint).toContain('not exported')
  })
})
