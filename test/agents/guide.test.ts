import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createCommandBackend } from '../../src/agents/command/command-backend.ts'
import { parseFixtures } from '../../src/agents/simulated/load-fixtures.ts'
import { assertOk, makeRequest, NO_HOST } from './requests.ts'

const guide = readFileSync(new URL('../../docs/guide/back-ends.md', import.meta.url), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'weft-guide-'))
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function blocks(language: string): string[] {
  return [...guide.matchAll(new RegExp('```' + language + '\\n([\\s\\S]*?)```', 'g'))].map((match) => match[1] ?? '')
}

describe('the guide to back ends', () => {
  it('shows an agent that works', async () => {
    const file = join(folder, 'agent.mjs')
    writeFileSync(file, blocks('js')[0] ?? '')
    const backend = createCommandBackend({
      id: 'guide',
      protocol: 'jsonl',
      command: ['node', file],
      inheritedEnv: process.env,
      // It has to exit by itself when its stdin closes: being waited for for so long would fail this test.
      timing: { exitMs: 600_000 },
    })
    const signal = new AbortController().signal
    const result = await backend.runner.run(makeRequest({ prompt: 'twelve chars' }), NO_HOST, signal, () => {})
    expect(assertOk(result).output).toBe('12 characters')
  })

  it('shows fixtures that are valid', () => {
    const [fixtures] = blocks('json').filter((block) => block.includes('"calls"'))
    expect(parseFixtures(fixtures ?? '', 'the guide').calls).toHaveLength(5)
  })
})
