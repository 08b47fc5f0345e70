import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useWorkbench } from '../../support/cli/workbench.ts'

describe('run --json', () => {
  it('prints one document of the promised shape and nothing else on stdout', async () => {
    const bench = useWorkbench()
    const script = bench.quickScript(
      'two',
      "log('noise'); console.log('more'); await agent('a'); return [await agent('b')]",
    )
    const { code, document } = await bench.json('run', 'two.js')
    expect(code).toBe(0)
    const { runId, usage, durationMs, warnings, result, ...rest } = document
    expect(rest).toEqual({
      workflow: 'two',
      outcome: 'completed',
      degraded: false,
      error: null,
      agentsStarted: 2,
      calls: { completed: 2, failed: 0, skipped: 0, cancelled: 0, replayed: 0 },
      scriptPath: script,
      simulated: true,
    })
    expect(runId).toMatch(/^[0-9A-Z]{26}$/)
    expect(result).toEqual([expect.any(String)])
    expect(usage).toMatchObject({ outputTokens: expect.any(Number), costUsd: null, replayedOutputTokens: 0 })
    expect(durationMs).toEqual(expect.any(Number))
    expect(warnings).toEqual([expect.stringContaining('simulated')])
  })

  it.each([
    ['usage', ['run', '--nonsense'], 'INVALID_ARGUMENT'],
    ['a missing file', ['run', './missing.js'], 'UNKNOWN_WORKFLOW'],
    ['a syntax error', ['run', 'syntax.js'], 'SCRIPT_PARSE'],
    ['a bad meta', ['run', 'meta.js'], 'META_INVALID'],
    ['an unknown run', ['show', '01ZZ'], 'UNKNOWN_WORKFLOW'],
    ['a dry run that is refused', ['dry-run', 'meta.js'], 'META_INVALID'],
  ])('prints the same shape for %s', async (_what, args, errorCode) => {
    const bench = useWorkbench()
    bench.script('syntax', 'const x = 1 let y')
    bench.write('meta.js', "export const meta = { name: 'meta' }\nreturn 1\n")
    const { code, document, stderr } = await bench.json(...args)
    expect({ code, keys: Object.keys(document) }).toEqual({
      code: 2,
      keys: [
        'runId',
        'workflow',
        'outcome',
        'degraded',
        'result',
        'error',
        'agentsStarted',
        'calls',
        'usage',
        'durationMs',
        'scriptPath',
        'simulated',
        'warnings',
      ],
    })
    expect(document).toMatchObject({ outcome: 'error', error: { code: errorCode } })
    expect(stderr).not.toBe('')
  })

  it('gives a script its args verbatim', async () => {
    const bench = useWorkbench()
    bench.script('types', 'return [typeof args, Array.isArray(args?.a), args?.n ?? null]')
    bench.write('args.json', '\uFEFF{"a":[1],"n":null}')
    const results = await Promise.all([
      bench.json('run', 'types.js', '--args', '{"a":[1],"n":null}'),
      bench.json('run', 'types.js', '--args', '@args.json'),
      bench.json('run', 'types.js', '--args', '"{\\"a\\":[1]}"'),
      bench.json('run', 'types.js'),
      bench.json('dry-run', 'types.js', '--args', '{"a":[1],"n":null}'),
    ])
    expect(results.map(({ document }) => document['result'])).toEqual([
      ['object', true, null],
      ['object', true, null],
      ['string', false, null],
      ['undefined', false, null],
      ['object', true, null],
    ])
  })

  it('carries Unicode, backticks, quotes and line ends to the agent and back byte for byte', async () => {
    const bench = useWorkbench()
    bench.useAgent('echo-agent.mjs')
    bench.script('echo', "return JSON.parse(await agent(args.prompt, { label: 'ü' })).run.prompt")
    const prompt = 'a `b` "c" \'d\' $HOME \\ ü 漢字 👩‍💻 \u2028 \r\n\t </output> import("x") <!-- --> %PATH%'
    const { document } = await bench.json('run', 'echo.js', '--args', JSON.stringify({ prompt }))
    expect(document['result']).toBe(prompt)
  })

  it('gives a slow reader of a pipe every byte of a big result', async () => {
    const bench = useWorkbench()
    bench.script('big', "return { text: 'ü'.repeat(2_500_000) }")
    const run = bench.start(['run', 'big.js', '--json'])
    run.process.stdout?.pause()
    await run.says(/completed/, 'stderr')
    run.process.stdout?.resume()
    const { code, stdout } = await run.finished
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ result: { text: 'ü'.repeat(2_500_000) } })
  })

  it('survives a reader that goes away', async () => {
    const bench = useWorkbench()
    bench.script('big', "return 'x'.repeat(5_000_000)")
    const run = bench.start(['run', 'big.js', '--json'])
    run.process.stdout?.destroy()
    const { code, stderr } = await run.finished
    expect(code).toBe(0)
    expect(stderr).not.toContain('EPIPE')
  })
})

describe('run --events', () => {
  it('streams events on stdout instead of anything else', async () => {
    const bench = useWorkbench()
    bench.quickScript('one', "log('noise'); return await agent('a')")
    const { code, stdout } = await bench.weft('run', 'one.js', '--events', '-', '--json')
    expect(code).toBe(0)
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { seq: number; type: string })
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(events[0]?.type).toBe('run-started')
    expect(events.at(-1)?.type).toBe('run-ended')
  })

  it('writes them to a file beside the usual output', async () => {
    const bench = useWorkbench()
    bench.quickScript('one', "return await agent('a')")
    const { document } = await bench.json('run', 'one.js', '--events', 'out.jsonl')
    const id = String(document['runId'])
    const written = readFileSync(join(bench.workspace, 'out.jsonl'), 'utf8')
    expect((await bench.weft('events', id)).stdout).toBe(written)
  })

  it('leaves stdout empty when nothing ran', async () => {
    const bench = useWorkbench()
    expect(await bench.weft('run', './missing.js', '--events', '-', '--json')).toMatchObject({ code: 2, stdout: '' })
  })
})
