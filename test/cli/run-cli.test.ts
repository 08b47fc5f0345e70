import { describe, expect, it } from 'vitest'
import { runCli, type CliSettings } from '../../src/cli/run-cli.ts'
import { captureOutput } from '../support/cli/captured-output.ts'
import { plainStyle } from './render/sample-runs.ts'

/** Runs arguments that no command may come of. */
async function run(...argv: string[]) {
  const out = captureOutput()
  const err = captureOutput()
  const code = await runCli(argv, { cwd: '/', out, err, errStyle: plainStyle, version: '1.2.3' }, () => {
    throw new Error('a command was reached')
  })
  return { code, out: out.text, err: err.text }
}

/** What is known when a command is about to run. */
async function settingsOf(...argv: string[]): Promise<CliSettings | undefined> {
  let settings: CliSettings | undefined
  const around = { cwd: '/', out: captureOutput(), err: captureOutput(), errStyle: plainStyle, version: '1.2.3' }
  await runCli(argv, around, (given) => {
    settings = given
    throw new Error('far enough')
  })
  return settings
}

describe('runCli', () => {
  it('prints version and help on stdout', async () => {
    expect(await run('--version')).toEqual({ code: 0, out: '1.2.3\n', err: '' })
    const help = await run('--help')
    expect(help).toMatchObject({ code: 0, err: '' })
    expect(help.out).toContain('Usage: weft [options] [command]')
    expect((await run('help', 'run')).out).toContain('--exit-on-pause')
    expect((await run('run', '--help')).out).toContain('--exit-on-pause')
  })

  it('names only commands that exist', async () => {
    const { out } = await run('--help')
    const commands = [...out.matchAll(/^ {2}([a-z][\w-]*) /gm)].map(([, name]) => name)
    expect(commands).toEqual([
      'run',
      'resume',
      'dry-run',
      'validate',
      'runs',
      'search',
      'show',
      'events',
      'result',
      'script',
      'diff',
      'export',
      'import',
      'delete',
      'pin',
      'unpin',
      'branches',
      'cancel',
      'pause',
      'continue',
      'agent',
      'workflows',
      'doctor',
      'backends',
      'serve',
      'approvals',
      'approve',
      'connect',
      'mcp',
      'app',
      'completion',
      'help',
    ])
  })

  it.each([
    [['frob'], 'weft: unknown command \'frob\'\nRun "weft --help" for help.\n'],
    [['run'], 'weft: missing required argument \'workflow\'\nRun "weft run --help" for help.\n'],
    [
      ['run', 'x', '--budgt', '5'],
      'weft: unknown option \'--budgt\'\n(Did you mean --budget?)\nRun "weft run --help" for help.\n',
    ],
    [
      ['run', 'x', '--concurrency', '0'],
      "weft: option '--concurrency <n>' argument '0' is invalid. With 0 agents at once nothing would ever run. Give 1 to 256.\n" +
        'Run "weft run --help" for help.\n',
    ],
    [
      ['dry-run', 'x', 'y'],
      'weft: too many arguments for \'dry-run\'. Expected 1 argument but got 2: x, y.\nRun "weft dry-run --help" for help.\n',
    ],
  ])('refuses %j in words, with exit code 2', async (argv, err) => {
    expect(await run(...argv)).toEqual({ code: 2, out: '', err })
  })

  it('says the same as a document with --json, wherever that stands', async () => {
    const { code, out, err } = await run('run', '--json', '--nonsense')
    expect(code).toBe(2)
    expect(JSON.parse(out)).toMatchObject({ outcome: 'error', error: { code: 'INVALID_ARGUMENT' } })
    expect(err).toContain("unknown option '--nonsense'")
  })

  it('takes the data folder before and after the command', async () => {
    expect(await settingsOf('--data-dir', 'd', 'runs')).toEqual({ dataDir: 'd' })
    expect(await settingsOf('runs', '--data-dir', 'd')).toEqual({ dataDir: 'd' })
    expect(await settingsOf('runs')).toEqual({ dataDir: undefined })
  })

  it('shows what a failure says with control characters escaped', async () => {
    expect((await run('fr\u001b[2Job')).err).toContain("unknown command 'fr\\u001b[2Job'")
  })
})
