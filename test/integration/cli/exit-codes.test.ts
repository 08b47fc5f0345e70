import { describe, expect, it } from 'vitest'
import { useWorkbench } from '../../support/cli/workbench.ts'

const quota = JSON.stringify([{ send: { type: 'error', message: 'quota used up', reason: 'quota' } }])
const failure = JSON.stringify([{ send: { type: 'error', message: 'no luck', reason: 'other' } }])

describe('exit codes', () => {
  it('are 0 for a completed run, with its result on stdout', async () => {
    const bench = useWorkbench()
    bench.script('sum', "log('adding'); return { n: args.a + args.b }")
    const { code, stdout } = await bench.weft('run', 'sum.js', '--args', '{"a":1,"b":2}')
    expect(code).toBe(0)
    expect(stdout).toContain('adding')
    expect(stdout).toContain('{\n  "n": 3\n}\n')
    expect(stdout).toMatch(/^completed, 0 agents · \d+ms$/m)
  })

  it('are 1 for a run that failed, with its phases, logs and the line in the script', async () => {
    const bench = useWorkbench()
    bench.script('bad', "phase('P')\nlog('l')\nthrow new Error('x went wrong')")
    const { code, stdout } = await bench.weft('run', 'bad.js')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^P\n {2}l\n/m)
    expect(stdout).toContain("bad.js:4:7\n  4 | throw new Error('x went wrong')\n    |       ^")
    expect(stdout).toContain('failed: x went wrong')
    const { document } = await bench.json('run', 'bad.js')
    expect(document).toMatchObject({ outcome: 'error', error: { message: 'x went wrong', line: 4, column: 7 } })
  })

  it.each([
    ['usage', ['run', 'ok.js', '--frobnicate'], "unknown option '--frobnicate'"],
    ['bad JSON', ['run', 'ok.js', '--args', '{"a" 1}'], '--args is not valid JSON at line 1, column 6'],
    ['a budget of 0', ['run', 'ok.js', '--budget', '0'], 'A budget of 0 would refuse every agent'],
    ['a missing file', ['run', './missing.js'], 'there is no file'],
    ['an unknown workflow', ['run', 'nosuch'], 'nosuch'],
    ['an unknown back end', ['run', 'ok.js', '--backend', 'nosuch'], 'nosuch'],
    ['a syntax error', ['run', 'syntax.js'], '\nsyntax.js:2:13: error: '],
    ['a bad meta', ['run', 'meta.js'], 'description'],
    ['a dry run of a bad script', ['dry-run', 'syntax.js'], '\nsyntax.js:2:13: error: '],
    ['an unknown run', ['show', '01ZZZZZZ'], 'there is no run 01ZZZZZZ'],
    ['no command', [], 'no command was given'],
  ])('are 2 for %s, and nothing ran', async (_what, args, words) => {
    const bench = useWorkbench()
    bench.script('ok', 'return 1')
    bench.script('syntax', 'const x = 1 let y')
    bench.write('meta.js', "export const meta = { name: 'meta' }\nreturn 1\n")
    const { code, stdout, stderr } = await bench.weft(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(`\n${stderr}`).toContain(words)
    expect((await bench.weft('runs', '--json')).stdout).toBe('[]\n')
  })

  it('are 3 for a degraded run, 0 where failures are allowed', async () => {
    const bench = useWorkbench()
    bench.useAgent('scripted-agent.mjs', [], { WEFT_TEST_STEPS: failure })
    bench.script('half', "return await parallel([() => agent('a'), () => agent('b')])")
    const { code, stdout } = await bench.weft('run', 'half.js')
    expect(code).toBe(3)
    expect(stdout).toContain('completed with failures: 2 failed of 2 agents')
    expect(stdout).not.toMatch(/^completed,/m)
    const allowed = await bench.json('run', 'half.js', '--allow-failures')
    expect(allowed).toMatchObject({ code: 0, document: { outcome: 'completed', degraded: true, result: [null, null] } })
  })

  it('are 3 for a dry run whose agents were made to fail', async () => {
    const bench = useWorkbench()
    bench.script('one', "return await agent('a')")
    expect((await bench.weft('dry-run', 'one.js', '--fail-rate', '100%')).code).toBe(3)
    expect((await bench.weft('dry-run', 'one.js')).code).toBe(0)
  })

  it('are 4 for a run that was cancelled from another terminal', async () => {
    const bench = useWorkbench()
    bench.useAgent('hang-agent.mjs')
    bench.script('long', "return await agent('wait')")
    const run = bench.start(['run', 'long.js'])
    const [, id = ''] = await run.says(/long \((\w+)/)
    await run.says(/→/)
    const cancel = await bench.weft('cancel', id.slice(-6).toLowerCase(), '--reason', 'enough')
    expect(cancel).toMatchObject({ code: 0, stdout: `${id} cancelled (enough)\n` })
    const { code, stdout } = await run.finished
    expect(code).toBe(4)
    expect(stdout).toContain('cancelled (enough)')
    await bench.quiet()
  })

  it('are 5 for a run that paused where that was asked for, and leave it to be resumed', async () => {
    const bench = useWorkbench()
    bench.useAgent('scripted-agent.mjs', [], { WEFT_TEST_STEPS: quota })
    bench.script('poor', "return await agent('a')")
    const { code, document } = await bench.json('run', 'poor.js', '--exit-on-pause')
    expect({ code, outcome: document['outcome'] }).toEqual({ code: 5, outcome: 'paused' })
    await bench.quiet()
    expect(JSON.parse((await bench.weft('runs', '--json')).stdout)).toMatchObject([{ status: 'interrupted' }])
  })

  it('wait with a paused run, saying why', async () => {
    const bench = useWorkbench()
    bench.useAgent('scripted-agent.mjs', [], { WEFT_TEST_STEPS: quota })
    bench.script('poor', "return await agent('a')")
    const run = bench.start(['run', 'poor.js'])
    await run.says(/^paused: .*quota used up/m)
    run.process.kill('SIGINT')
    expect((await run.finished).code).toBe(130)
  })
})
