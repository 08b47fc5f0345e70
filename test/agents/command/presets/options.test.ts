import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandPresetName, PresetBackendOptions } from '../../../../src/agents/command/presets/preset-backend.ts'
import type { AgentRequest } from '../../../../src/engine/index.ts'
import type { JsonValue } from '../../../../src/shared/index.ts'
import { assertOk, makeRequest, makeStructured, NO_HOST } from '../../requests.ts'
import { fakePreset } from './event-streams.ts'

const root = mkdtempSync(join(tmpdir(), 'weft-preset-options-'))
beforeAll(() => {
  mkdirSync(join(root, 'user-codex'))
  writeFileSync(
    join(root, 'user-codex', 'config.toml'),
    'model = "gpt-mine"\n[mcp_servers.weft]\ncommand = "weft"\nargs = ["mcp"]\n[model_providers.own]\nname = "own"\n',
  )
})
afterAll(() => {
  rmSync(root, { recursive: true, force: true })
})

interface Given {
  argv: string[]
  stdin: string
  env: string
  folder: string
}

async function start(
  name: CommandPresetName,
  request: Partial<AgentRequest>,
  answer: JsonValue = 'x',
  options: Partial<PresetBackendOptions> = {},
): Promise<Given> {
  const folders: string[] = []
  const backend = fakePreset(name, { kind: 'answer', answers: [answer] }, root, { folders, ...options })
  const signal = new AbortController().signal
  assertOk(await backend.runner.run(makeRequest(request), NO_HOST, signal, () => {}))
  const folder = folders[0] ?? ''
  const read = (file: string): string => readFileSync(join(folder, `${file}.0`), 'utf8')
  return { argv: read('argv').trimEnd().split('\n'), stdin: read('stdin'), env: read('env'), folder }
}

const SCHEMA = {
  type: 'object',
  properties: { a: { type: 'string', minLength: 1 }, b: { type: 'number' } },
  required: ['a'],
}
const STRICT = JSON.stringify({
  type: 'object',
  properties: {
    a: { type: 'string', description: '(minLength: 1)' },
    b: { anyOf: [{ type: 'number' }, { type: 'null' }] },
  },
  required: ['a', 'b'],
  additionalProperties: false,
})

type Honoured = (given: Given) => void
const flag =
  (name: string, value: string): Honoured =>
  ({ argv }) =>
    expect(argv[argv.indexOf(name) + 1], argv.join(' ')).toBe(value)
const told =
  (text: string): Honoured =>
  ({ stdin }) =>
    expect(stdin).toContain(text)

/** For each option what it changes in what the child is started with or told; a text where it is refused instead. */
const TABLE: Record<CommandPresetName, Record<'model' | 'effort' | 'allowedTools' | 'schema', Honoured | string>> = {
  claude: {
    model: flag('--model', 'm-1'),
    effort: flag('--effort', 'high'),
    allowedTools: (given) => {
      flag('--tools', 'Read,Bash')(given)
      flag('--allowedTools', 'Read,Bash(git log:*)')(given)
    },
    schema: flag('--json-schema', JSON.stringify(SCHEMA)),
  },
  codex: {
    model: flag('--model', 'm-1'),
    effort: flag('--config', 'model_reasoning_effort="high"'),
    allowedTools: 'restrict tools',
    schema: ({ folder }) => expect(readFileSync(join(folder, 'schema.0'), 'utf8')).toBe(STRICT),
  },
  gemini: {
    model: flag('--model', 'm-1'),
    effort: 'set the effort',
    allowedTools: 'restrict tools',
    schema: told(JSON.stringify(SCHEMA)),
  },
  opencode: {
    model: flag('--model', 'm-1'),
    effort: flag('--variant', 'high'),
    allowedTools: ({ env }) =>
      expect(env).toContain('"permission":{"*":"deny","read":"allow","bash(git log:*)":"allow","*_workflow":"deny"}'),
    schema: told(JSON.stringify(SCHEMA)),
  },
  qwen: {
    model: flag('--model', 'm-1'),
    effort: 'set the effort',
    allowedTools: 'restrict tools',
    schema: flag('--json-schema', JSON.stringify(SCHEMA)),
  },
}
const GIVEN: Record<'model' | 'effort' | 'allowedTools' | 'schema', Partial<AgentRequest>> = {
  model: { model: 'm-1' },
  effort: { effort: 'high' },
  allowedTools: { allowedTools: ['Read', 'Bash(git log:*)'] },
  schema: { structured: makeStructured(SCHEMA) },
}

const cases = Object.entries(TABLE).flatMap(([name, options]) =>
  Object.entries(options).map(([option, expected]) => ({
    // Keys of the table.
    name: name as CommandPresetName,
    option: option as keyof typeof GIVEN,
    expected,
  })),
)

describe.each(cases)('preset $name and the option $option', ({ name, option, expected }) => {
  it(typeof expected === 'string' ? 'is refused before the start' : 'reaches the child', async () => {
    const request = GIVEN[option]
    const refusal = fakePreset(name, { kind: 'silence' }, root).refuse?.(request)
    if (typeof expected === 'string') {
      expect(refusal).toBe(`back end "${name}" cannot ${expected}${refusal?.slice(refusal.indexOf(' (')) ?? ''}`)
      return
    }
    expect(refusal).toBeUndefined()
    expected(await start(name, request, option === 'schema' ? { a: 'x' } : 'x'))
  })
})

describe.each(Object.keys(TABLE) as CommandPresetName[])('preset %s', (name) => {
  it('gives the prompt by stdin behind the framing, closes it, and has nothing of it in the arguments', async () => {
    const prompt = '</output> `x` "q" \\ $(rm) & echo %PATH% 🧵\r\nDIRECTIVE'
    const { argv, stdin, env } = await start(name, { prompt })
    expect(stdin.endsWith(`\n\n${prompt}`)).toBe(true)
    expect(stdin).toMatch(/^You are one agent of an automated workflow/)
    expect(argv.join(' ')).not.toContain('DIRECTIVE')
    expect(env).toContain('WEFT_CALL=/agent:0')
  })

  it('keeps the tool server of Weft away from the agent', async () => {
    const { argv, env, folder } = await start(name, {})
    const cut = {
      claude: () => expect(argv).toContain('--strict-mcp-config'),
      codex: () => {
        const home = readFileSync(join(folder, 'home.0'), 'utf8')
        expect(home).toContain('model = "gpt-mine"')
        expect(home).toContain('[model_providers.own]')
        expect(home).not.toContain('mcp_servers')
      },
      gemini: () => expect(argv[argv.indexOf('--allowed-mcp-server-names') + 1]).toBe('weft-none'),
      opencode: () => expect(env).toContain('"*_workflow":"deny"'),
      qwen: () => expect(argv[argv.indexOf('--allowed-mcp-server-names') + 1]).toBe('weft-none'),
    }
    cut[name]()
  })

  it('leaves nothing in the folder for temporary files', async () => {
    const before = join(root, `tmp-${name}`)
    mkdirSync(before)
    const original = process.env['TMPDIR']
    process.env['TMPDIR'] = before
    try {
      await start(name, { structured: makeStructured(SCHEMA) }, { a: 'x' })
    } finally {
      if (original === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = original
    }
    expect(readdirSync(before)).toEqual([])
  })

  it('has what agents may do in its arguments', async () => {
    const seen = new Set<string>()
    for (const access of ['read', 'write', 'full'] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one process at a time
      const { argv, env } = await start(name, {}, 'x', { access })
      seen.add(`${argv.join(' ')} ${/OPENCODE_CONFIG_CONTENT.*/.exec(env)?.[0] ?? ''}`)
    }
    expect(seen.size).toBe(3)
  })
})

describe('a refused answer', () => {
  it('is sent back to the same session with the errors', async () => {
    const folders: string[] = []
    const backend = fakePreset('codex', { kind: 'answer', answers: [{ a: '' }, { a: 'x', b: null }] }, root, {
      folders,
    })
    const signal = new AbortController().signal
    const request = makeRequest({ structured: makeStructured(SCHEMA) })
    const answer = assertOk(await backend.runner.run(request, NO_HOST, signal, () => {}))
    // The null that only strict mode asked for is gone.
    expect(answer).toMatchObject({ output: { a: 'x' }, rejections: 1 })
    const folder = folders[0] ?? ''
    expect(readFileSync(join(folder, 'argv.1'), 'utf8')).toContain('resume\nS1\n-')
    expect(readFileSync(join(folder, 'stdin.1'), 'utf8')).toContain('/a must NOT have fewer than 1 characters')
    expect(existsSync(join(folder, 'argv.2'))).toBe(false)
  })
})

describe('the sign-in of codex', () => {
  it('is used where it is, and a new one is kept', async () => {
    const home = join(root, 'user-codex', 'auth.json')
    writeFileSync(home, '"old"')
    const folders: string[] = []
    const backend = fakePreset('codex', { kind: 'answer', answers: ['x'] }, root, { folders })
    const replacing = fakePreset('codex', { kind: 'answer', answers: ['x'] }, root, {
      command: ['sh', '-c', 'rm "$CODEX_HOME/auth.json"; echo \'"new"\' > "$CODEX_HOME/auth.json"; cat > /dev/null'],
    })
    const signal = new AbortController().signal
    await backend.runner.run(makeRequest(), NO_HOST, signal, () => {})
    expect(readFileSync(home, 'utf8')).toBe('"old"')
    await replacing.runner.run(makeRequest(), NO_HOST, signal, () => {})
    expect(readFileSync(home, 'utf8')).toBe('"new"\n')
  })
})
