import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { executions } from '../../support/host/counting.ts'
import { useWorkbench, type Workbench } from '../../support/cli/workbench.ts'

function countingBench(): { bench: Workbench; executed: () => string[] } {
  const bench = useWorkbench()
  bench.useAgent('counting-agent.mjs', [bench.folder])
  return { bench, executed: () => executions({ root: bench.folder }) }
}

const BODY = "return await parallel(['a', 'HOLD b', 'HOLD c'].map((prompt) => () => agent(prompt, { label: prompt })))"

describe('steering a run from another terminal', () => {
  it('pauses, acts on an agent, continues and cancels by any id that is shown', async () => {
    const { bench } = countingBench()
    bench.script('long', BODY)
    const run = bench.start(['run', 'long.js', '--concurrency', '3'])
    const id = (await run.says(/long \((\w+), agent\)/))[1] ?? ''
    await run.says(/✓ a/)
    await run.says(/HOLD c/)
    expect(await bench.weft('pause', id.slice(-6))).toMatchObject({ code: 0 })
    expect((await bench.json('runs')).document).toMatchObject([{ runId: id, status: 'paused' }])
    const skipped = await bench.weft('agent', id.toLowerCase(), '2', 'skip')
    expect(skipped).toMatchObject({ code: 0, stdout: `${id} agent 2 (HOLD b): skipped\n` })
    const again = await bench.weft('agent', id, '2', 'skip')
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('has ended already: skipped')])
    expect(await bench.weft('continue', id.slice(0, 20))).toMatchObject({ code: 0, stdout: `${id} goes on\n` })
    expect((await bench.weft('continue', id)).stderr).toContain('is not paused: running')
    expect(await bench.weft('cancel', id.slice(-8))).toMatchObject({ code: 0 })
    expect((await run.finished).code).toBe(4)
    expect((await bench.weft('pause', id)).stderr).toContain('is not live, there is nothing to pause: cancelled')
  })
})

describe('weft resume', () => {
  it('goes on after a kill -9, tells before what it will do, and shows whence it comes', async () => {
    const { bench, executed } = countingBench()
    bench.script('long', BODY)
    const run = bench.start(['run', 'long.js', '--concurrency', '3'])
    const id = (await run.says(/long \((\w+), agent\)/))[1] ?? ''
    await run.says(/✓ a/)
    for (const { pid, command } of bench.processes()) if (command.includes('weft')) process.kill(pid, 'SIGKILL')
    await run.finished
    writeFileSync(join(bench.folder, 'open'), '')
    const plan = await bench.json('resume', id, '--plan')
    expect(plan).toMatchObject({ code: 0, document: { resumes: id, replays: 1, runs: 2, depends: 0, firstRun: 2 } })
    const told = (await bench.weft('resume', id, '--plan')).stdout
    expect(told).toMatch(/Replayed 1 call[^]*Run 2 calls[^]*HOLD b.*of the earlier run is cancelled/)
    const before = executed().length
    const { code, document } = await bench.json('resume', id.slice(-8))
    expect([code, document]).toMatchObject([0, { outcome: 'completed', calls: { replayed: 1, completed: 2 } }])
    expect(document['result']).toEqual(['a!', 'HOLD b!', 'HOLD c!'])
    expect(executed()).toHaveLength(before + 2)
    const next = String(document['runId'])
    expect((await bench.weft('show', next)).stdout).toContain(`Resumed from ${id}\n`)
    expect((await bench.weft('runs')).stdout).toContain(`long ← …${id.slice(-6)}`)
    const edited = await bench.json('run', 'long.js', '--resume', next)
    expect(edited).toMatchObject({ code: 0, document: { calls: { replayed: 3, completed: 0 } } })
  })

  it('is refused with a plain message and exit code 2', async () => {
    const { bench } = countingBench()
    bench.script('none', 'return 1')
    const { document } = await bench.json('run', 'none.js')
    const nothing = await bench.json('resume', String(document['runId']))
    expect(nothing).toMatchObject({ code: 2, document: { outcome: 'error' } })
    expect(JSON.stringify(nothing.document)).toContain('nothing to replay')
    const unknown = await bench.weft('resume', 'ZZZZ')
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('there is no run ZZZZ')])
  })
})
