import { beforeAll, describe, expect, it } from 'vitest'
import { PATTERNS, scriptOf, snippetOf } from '../../../../src/renderer/state/workflows/patterns.ts'
import { shareHost } from '../../../support/host/make-host.ts'

const shared = shareHost()

describe.each(PATTERNS.map((pattern) => [pattern.id, pattern] as const))('the pattern %s', (id, pattern) => {
  const text = scriptOf(pattern, `new-${id}`)
  let reply: Awaited<ReturnType<typeof dryRun>>
  beforeAll(async () => {
    reply = await dryRun(text)
  })

  it('is a script with nothing to complain about', async () => {
    const { session, folders } = shared()
    const found = await session.call('script.diagnose', { text, fileName: 'x.js', workspace: folders.workspace })
    expect(found).toEqual({ meta: expect.objectContaining({ name: `new-${id}` }), diagnostics: [] })
  })

  it('runs dry to its end through all of its phases', () => {
    expect(reply.envelope.outcome).toBe('completed')
    expect(reply.plan.phases.map(({ title }) => title)).toEqual(pattern.phases)
  })

  it('is the same text as a snippet, but for its stops', () => {
    const inserted = snippetOf(pattern)
      .replace(/\$\{\d+:((?:\\.|[^\\}])*)\}/g, '$1')
      .replace(/\\([\\$}])/g, '$1')
    expect(text.endsWith(inserted)).toBe(true)
  })
})

async function dryRun(text: string) {
  const { session, folders } = shared()
  return session.call('run.dryRun', { workspace: folders.workspace, source: { kind: 'text', text } })
}
