import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SettingsFile } from '../../../src/host/settings/settings-file.ts'
import { createLogKeeper } from '../../support/host/quiet-logger.ts'
import { makeTempFolder } from '../../support/host/temp-folder.ts'

async function openSettings(text?: string) {
  const folder = await makeTempFolder()
  const path = join(folder, 'settings.json')
  if (text !== undefined) await writeFile(path, text)
  const { logger, entries } = createLogKeeper()
  return { folder, path, entries, file: new SettingsFile(path, logger) }
}

const echo = { kind: 'command', protocol: 'jsonl', command: ['node', 'agent.mjs'] }

describe('reading settings', () => {
  test('a missing file means defaults', async () => {
    const { file } = await openSettings()
    expect(file.read()).toEqual({ settings: {}, errors: [], warnings: [], text: '' })
  })

  test('an edit by hand is seen by the next read', async () => {
    const { file, path } = await openSettings('{"maxConcurrentAgents": 3}')
    expect(file.read().settings).toEqual({ maxConcurrentAgents: 3 })
    await writeFile(path, '{"maxConcurrentAgents": 4}')
    expect(file.read().settings).toEqual({ maxConcurrentAgents: 4 })
  })

  test('a byte order mark is no error', async () => {
    const { file } = await openSettings('\uFEFF{"agentRetries": 0}')
    expect(file.read()).toMatchObject({ settings: { agentRetries: 0 }, errors: [] })
  })

  test('text that is not JSON is told about once in words, and defaults apply', async () => {
    const { file, path, entries } = await openSettings('{"maxConcurrentAgents": 3,}')
    const { settings, errors } = file.read()
    file.read()
    expect(settings).toEqual({})
    expect(errors).toEqual([expect.stringMatching(/^it is not JSON: /)])
    expect(entries.map(({ message }) => message)).toEqual([`${path}: ${errors[0]}`])
  })

  test('every violation is named with its path', async () => {
    const { file } = await openSettings(
      JSON.stringify({
        backends: {
          a: { kind: 'command', protocol: 'jsonl', command: [] },
          b: { kind: 'acpp' },
          c: { kind: 'simulated', seeds: 1 },
        },
        defaultBackend: 'd',
        stallSeconds: 0,
        approval: 'maybe',
      }),
    )
    expect(file.read()).toMatchObject({
      settings: {},
      warnings: [],
      errors: [
        'stallSeconds must be > 0, not 0',
        'approval must be one of "ask", "allow", "deny", not "maybe"',
        'backends.a.command must NOT have fewer than 1 items, not []',
        'backends.b.kind must be one of simulated, command, acp, model-api, harness, not "acpp": did you mean acp?',
        'backends.c.seeds is not known: did you mean seed?',
        'defaultBackend names "d", which is not configured: did you mean a?',
      ],
    })
  })

  test('back ends of known kinds are taken as they are', async () => {
    const backends = {
      claude: { kind: 'acp', command: ['claude-agent-acp'] },
      cli: { kind: 'command', preset: 'codex' },
      api: { kind: 'model-api', provider: 'anthropic', prices: { m: { input: 0, output: 0.5 } } },
      local: { kind: 'model-api', provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1' },
    }
    const { file } = await openSettings(JSON.stringify({ backends }))
    expect(file.read()).toMatchObject({ settings: { backends }, errors: [], warnings: [] })
  })

  test('a key in a model provider is refused without being repeated', async () => {
    const api = { kind: 'model-api', provider: 'openai' }
    const backends = {
      a: { ...api, apiKey: 'sk-secret' },
      b: { ...api, baseUrl: 'https://me:sk-secret@host/v1' },
      c: { ...api, baseUrl: 'https://host/v1?key=sk-secret' },
      d: { ...api, apiKeyEnv: 'sk-secret' },
      e: { kind: 'model-api', provider: 'openai-compatible' },
      f: { ...api, baseUrl: 'file:///x' },
      g: { ...api, prices: { m: { input: -1, output: 1 } } },
    }
    const { file } = await openSettings(JSON.stringify({ backends }))
    const { errors } = file.read()
    expect(errors.map((error) => error.slice('backends.'.length, 'backends.a.baseUrl'.length))).toEqual(
      ['a.apiKey i', 'b.baseUrl', 'c.baseUrl', 'd.apiKeyE', 'e.baseUrl', 'f.baseUrl', 'g.prices.'].map((text) =>
        text.slice(0, 9),
      ),
    )
    expect(errors.join()).not.toContain('sk-secret')
  })

  test('the name of the built-in back end can not be given to another kind', async () => {
    const { file } = await openSettings(JSON.stringify({ backends: { simulated: echo } }))
    expect(file.read().errors).toEqual([expect.stringContaining('backends.simulated must be of kind "simulated"')])
  })

  test('a field from another version is warned about and hinders nothing', async () => {
    const { file } = await openSettings('{"agentRetries": 1, "telepathy": true}')
    const { settings, errors, warnings } = file.read()
    expect(settings).toEqual({ agentRetries: 1 })
    expect(errors).toEqual([])
    expect(warnings).toEqual([expect.stringMatching(/^telepathy is not known/)])
  })
})

describe('writing settings', () => {
  test('what was written is read again, by the user alone', async () => {
    const { file, path } = await openSettings()
    const settings = { backends: { echo }, defaultBackend: 'echo', foregroundSeconds: 0, retention: { maxAgeDays: 30 } }
    expect(await file.write(settings)).toEqual(settings)
    expect(file.read().settings).toEqual(settings)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  test('a violation is refused and the file stays as it was', async () => {
    const { file, path } = await openSettings('{"agentRetries": 1}')
    await expect(file.write({ agentRetries: -1, stallSecond: 5 })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      violations: [expect.stringContaining('did you mean stallSeconds?'), 'agentRetries must be >= 0, not -1'],
    })
    await expect(file.write(null)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect(await readFile(path, 'utf8')).toBe('{"agentRetries": 1}')
  })

  test('a broken file is kept aside, never lost', async () => {
    const { file, folder } = await openSettings('{"agentRetries": 1')
    await file.write({ agentRetries: 2 })
    const names = (await readdir(folder)).sort()
    expect(names).toEqual(['settings.json', expect.stringMatching(/^settings\.json\.broken-/)])
    expect(await readFile(join(folder, names[1] ?? ''), 'utf8')).toBe('{"agentRetries": 1')
  })

  test('fields from another version that stand in the file stay there', async () => {
    const { file, path } = await openSettings('{"telepathy": true}')
    await file.write({ agentRetries: 2 })
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ telepathy: true, agentRetries: 2 })
  })

  test('what only a newer version knows may be handed back as the file has it, and nothing else like it', async () => {
    const { file, path } = await openSettings('{"telepathy": true, "retention": {"maxAgeDays": 3, "maxRuns": 9}}')
    const { settings } = file.read()
    await file.write({ ...settings, telepathy: true, agentRetries: 2 })
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
      telepathy: true,
      retention: { maxAgeDays: 3, maxRuns: 9 },
      agentRetries: 2,
    })
    await expect(file.write({ telekinesis: true })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('two writes at once happen one after the other', async () => {
    const { file } = await openSettings()
    await Promise.all([file.write({ agentRetries: 1 }), file.write({ agentRetries: 2 })])
    expect(file.read().settings).toEqual({ agentRetries: 2 })
  })
})
