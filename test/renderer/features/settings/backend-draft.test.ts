import { describe, expect, it } from 'vitest'
import { backendOf, draftOf } from '../../../../src/renderer/features/settings/backend-draft.ts'

describe('a back end in the form', () => {
  it.each([
    ['command', { kind: 'command', protocol: 'jsonl', command: ['node', 'a b.mjs'], env: { A: 'x=y' } }],
    ['simulated', { kind: 'simulated', seed: 3, failRate: 0.5 }],
    ['of a later kind', { kind: 'acp', command: ['agent'], more: { deep: [1] } }],
    ['command with a preset', { kind: 'command', preset: 'codex' }],
  ])('%s comes out as it went in', (_what, backend) => {
    expect(backendOf(draftOf('x', backend), backend)).toEqual({ value: backend })
  })

  it('says what is missing or wrong', () => {
    const draft = { ...draftOf('', undefined), command: 'node', env: 'nonsense' }
    expect(backendOf(draft, {})).toEqual({ error: 'Not NAME=value: nonsense' })
    expect(backendOf({ ...draft, command: ' ' }, {})).toMatchObject({ error: expect.stringContaining('program') })
    expect(backendOf({ ...draft, kind: 'other', json: '[]' }, {})).toMatchObject({ error: expect.any(String) })
  })
})
