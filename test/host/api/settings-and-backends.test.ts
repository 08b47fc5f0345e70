import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ECHO_AGENT, makeHost } from '../../support/host/make-host.ts'

describe('settings', () => {
  test('are written, read back and used without a restart', async () => {
    const { session, folders } = await makeHost()
    const command = [process.execPath, ECHO_AGENT]
    const settings = { backends: { echo: { kind: 'command', protocol: 'jsonl', command } }, defaultBackend: 'echo' }
    expect(await session.call('settings.set', { settings })).toEqual({ settings })
    expect(await session.call('settings.get', {})).toEqual({
      settings,
      text: await readFile(join(folders.dataDir, 'settings.json'), 'utf8'),
      path: join(folders.dataDir, 'settings.json'),
      errors: [],
      warnings: [],
    })
    const { backends } = await session.call('backends.list', {})
    expect(backends.map(({ id, isDefault, available }) => [id, isDefault, available])).toEqual([
      ['echo', true, true],
      ['simulated', false, true],
    ])
  })

  test('are refused with every violation', async () => {
    const { session } = await makeHost()
    const settings = { defaultBackend: 'x', agentRetries: 'many' }
    await expect(session.call('settings.set', { settings })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      violations: [
        'agentRetries must be integer, not "many"',
        'defaultBackend names "x", which is not configured: known are simulated',
      ],
    })
  })

  test('that can not be read are told about', async () => {
    const { session, folders } = await makeHost()
    await writeFile(join(folders.dataDir, 'settings.json'), '{')
    expect(await session.call('settings.get', {})).toMatchObject({
      settings: {},
      errors: [expect.stringContaining('it is not JSON')],
    })
  })
})

describe('back ends', () => {
  test('are the simulated one where nothing is configured', async () => {
    const { session } = await makeHost()
    expect(await session.call('backends.list', {})).toEqual({
      backends: [
        {
          id: 'simulated',
          kind: 'simulated',
          isDefault: true,
          available: true,
          detail: null,
          capabilities: expect.objectContaining({ schema: 'native', usage: 'estimated' }),
        },
      ],
    })
  })

  test('say in words why they are not available', async () => {
    const { session, folders } = await makeHost()
    const backends = {
      missing: { kind: 'command', protocol: 'jsonl', command: ['weft-no-such-program'] },
      keyless: { kind: 'model-api', provider: 'anthropic', apiKeyEnv: 'WEFT_TEST_NO_SUCH_KEY' },
      codex: { kind: 'command', preset: 'codex', command: ['weft-no-such-codex'] },
      agent: { kind: 'acp', preset: 'goose', command: ['weft-no-such-goose'] },
      caller: { kind: 'harness', clients: { 'claude-code': 'codex' } },
    }
    await writeFile(join(folders.dataDir, 'settings.json'), JSON.stringify({ backends }))
    const listed = (await session.call('backends.list', {})).backends
    expect(listed.map(({ id, available, detail }) => [id, available, detail])).toEqual([
      ['missing', false, expect.stringContaining('"weft-no-such-program" was not found')],
      ['keyless', false, 'there is no API key: the environment variable WEFT_TEST_NO_SUCH_KEY is not set'],
      ['codex', false, expect.stringContaining('"weft-no-such-codex" was not found')],
      ['agent', false, expect.stringContaining('"weft-no-such-goose" was not found')],
      ['caller', false, expect.stringContaining('none has')],
      ['simulated', true, null],
    ])
    expect(listed.find(({ isDefault }) => isDefault)?.id).toBe('missing')
  })
})
