import { describe, expect, it } from 'vitest'
import { useWorkbench, type RunningWeft, type Workbench } from '../../support/cli/workbench.ts'

const FAN_OUT = "return await parallel([1, 2, 3].map((n) => () => agent('wait ' + n)))"

async function startLong(bench: Workbench, agentFile: string, ...options: string[]): Promise<RunningWeft> {
  bench.useAgent(agentFile)
  bench.script('long', FAN_OUT)
  const run = bench.start(['run', 'long.js', '--concurrency', '2', ...options])
  await run.says(/→[^]*→/, options.includes('--json') ? 'stderr' : 'stdout')
  return run
}

async function statuses(bench: Workbench): Promise<unknown[]> {
  // `runs --json` prints an array of rows.
  const rows = JSON.parse((await bench.weft('runs', '--json')).stdout) as { status: unknown }[]
  return rows.map(({ status }) => status)
}

describe('Ctrl-C', () => {
  it('cancels the run and waits for its end, and no process stays', async () => {
    const bench = useWorkbench()
    const run = await startLong(bench, 'hang-agent.mjs')
    run.process.kill('SIGINT')
    const { code, stdout } = await run.finished
    expect(code).toBe(130)
    expect(stdout).toContain('cancelling')
    expect(stdout).toContain('cancelled (Ctrl-C)')
    expect(bench.processes()).toEqual([])
    expect(await statuses(bench)).toEqual(['cancelled'])
  })

  it('leaves one document on stdout with --json', async () => {
    const bench = useWorkbench()
    const run = await startLong(bench, 'hang-agent.mjs', '--json')
    run.process.kill('SIGINT')
    const { code, stdout } = await run.finished
    expect(code).toBe(130)
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'cancelled', calls: { cancelled: 3 } })
  })

  it('leaves at once the second time, the run is interrupted, and no process stays', async () => {
    const bench = useWorkbench()
    const run = await startLong(bench, 'ignores-sigterm-agent.mjs', '--json')
    run.process.kill('SIGINT')
    await run.says(/cancelling/, 'stderr')
    const pressed = Date.now()
    run.process.kill('SIGINT')
    const { code, stdout } = await run.finished
    expect(code).toBe(130)
    expect(Date.now() - pressed).toBeLessThan(4000)
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'interrupted' })
    await bench.quiet()
    expect(await statuses(bench)).toEqual(['interrupted'])
  })

  it('ends a dry run and a listing at once', async () => {
    const bench = useWorkbench()
    bench.script('endless', "for (;;) await agent('a')")
    const run = bench.start(['dry-run', 'endless.js', '--max-agents', '1000'])
    run.process.kill('SIGINT')
    const { code, signal } = await run.finished
    expect(code === 130 || signal === 'SIGINT').toBe(true)
    await bench.quiet()
  })
})

describe('SIGTERM', () => {
  it('cancels the run as someone else would', async () => {
    const bench = useWorkbench()
    const run = await startLong(bench, 'hang-agent.mjs')
    run.process.kill('SIGTERM')
    const { code, stdout } = await run.finished
    expect(code).toBe(4)
    expect(stdout).toContain('cancelled (the command line got SIGTERM)')
    expect(bench.processes()).toEqual([])
  })
})

describe('SIGKILL', () => {
  it('leaves a run that is found interrupted, and no process for long', async () => {
    const bench = useWorkbench()
    const run = await startLong(bench, 'hang-agent.mjs')
    run.process.kill('SIGKILL')
    await run.finished
    await bench.quiet(8000)
    expect(await statuses(bench)).toEqual(['interrupted'])
    const shown = await bench.weft('runs')
    expect(shown.stdout).toMatch(/interrupted {2}long/)
  })
})
