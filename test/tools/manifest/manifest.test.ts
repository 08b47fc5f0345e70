import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'
import { EXAMPLE_SCRIPT, MAIN_DESCRIPTION } from '../../../src/tools/manifest/description.ts'
import { HOOK_CONTRACT } from '../../../src/tools/manifest/hook-contract.ts'
import {
  LEGACY_PROTOCOL_VERSIONS,
  MODERN_PROTOCOL_VERSIONS,
  negotiateLegacy,
} from '../../../src/tools/manifest/server-info.ts'
import { listTools } from '../../../src/tools/manifest/tools.ts'
import { makeHost } from '../../support/host/make-host.ts'

describe('what the server says before it is asked', () => {
  test('names the revisions that the SDK serves', () => {
    expect([...LEGACY_PROTOCOL_VERSIONS, ...MODERN_PROTOCOL_VERSIONS].sort()).toEqual(
      [...new Set([...SUPPORTED_PROTOCOL_VERSIONS, ...MODERN_PROTOCOL_VERSIONS])].sort(),
    )
    expect(negotiateLegacy('2025-06-18')).toBe('2025-06-18')
    expect(negotiateLegacy('1999-01-01')).toBe('2025-11-25')
  })

  test('holds the whole contract, and the same text each time', () => {
    expect(MAIN_DESCRIPTION).toContain(HOOK_CONTRACT)
    expect(MAIN_DESCRIPTION).toContain(EXAMPLE_SCRIPT)
    const [first, second] = [listTools({ toolName: 'a', depth: 0 }), listTools({ toolName: 'b', depth: 0 })]
    expect(first[0]?.description).toBe(second[0]?.description)
    expect(first.map(({ name }) => name).slice(0, 2)).toEqual(['a', 'workflow_status'])
  })

  test('shows an example that runs', async () => {
    const { session, folders } = await makeHost()
    const source = { kind: 'text', text: EXAMPLE_SCRIPT, fileName: 'example.js' } as const
    const { diagnostics } = await session.call('script.diagnose', { text: EXAMPLE_SCRIPT, fileName: 'example.js' })
    expect(diagnostics).toEqual([])
    const args = { files: ['src/a.ts', 'src/b.ts'] }
    const { envelope } = await session.call('run.dryRun', { workspace: folders.workspace, source, args })
    expect(envelope).toMatchObject({ outcome: 'completed', result: { unverified: [] } })
    expect(envelope.agentsStarted).toBeGreaterThanOrEqual(2)
  })
})
