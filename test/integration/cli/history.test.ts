import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { useWorkbench, type Workbench } from '../../support/cli/workbench.ts'

async function finishedRun(bench: Workbench): Promise<string> {
  bench.quickScript(
    'sample',
    "phase('Look')\nlog('hello')\nconst a = await agent('one', { label: 'eye' })\nreturn { a, big: 'x'.repeat(2_000_000) }",
  )
  const { document } = await bench.json('run', 'sample.js')
  return String(document['runId'])
}

describe('history', () => {
  it('lists runs, newest first, as a table or as JSON', async () => {
    const bench = useWorkbench()
    expect((await bench.weft('runs')).stdout).toBe('no runs\n')
    const first = await finishedRun(bench)
    const second = await finishedRun(bench)
    const rows = JSON.parse((await bench.weft('runs', '--json')).stdout) as { runId: string }[]
    expect(rows.map(({ runId }) => runId)).toEqual([second, first])
    const [head, ...lines] = (await bench.weft('runs', '--limit', '1')).stdout.split('\n')
    expect(head?.split(/ +/)).toEqual(['RUN', 'STATUS', 'WORKFLOW', 'STARTED', 'TOOK', 'AGENTS', 'TOKENS'])
    expect(lines[0]).toMatch(new RegExp(`^${second} {2}completed \\(simulated\\) {2}sample`))
    expect(lines[1]).toBe('… 1 more (--limit)')
  })

  it('shows a run as a tree, with log and verdict', async () => {
    const bench = useWorkbench()
    const id = await finishedRun(bench)
    const { code, stdout } = await bench.weft('show', id)
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^sample {2}${id} {2}simulated\n {2}Look {2}1/1 {2}.*\n {4}✓ eye {2}`))
    expect(stdout).toContain('Log\n  hello\n')
    expect(stdout).toMatch(/^completed, 1 agent · /m)
    const { document } = await bench.json('show', id)
    expect(document).toMatchObject({ runId: id, outcome: 'completed', agents: [{ label: 'eye', status: 'completed' }] })
  })

  it('shows why an agent failed in whole, where its row has room for the beginning', async () => {
    const bench = useWorkbench()
    const message = `${'because of this and that '.repeat(20)}\nand of the second line`
    const steps = JSON.stringify([{ send: { type: 'error', message, reason: 'other' } }])
    bench.useAgent('scripted-agent.mjs', [], { WEFT_TEST_STEPS: steps })
    bench.script('bad', "return await agent('one', { label: 'eye' })")
    const { document } = await bench.json('run', 'bad.js')
    const { stdout } = await bench.weft('show', String(document['runId']))
    const [first, second] = message.split('\n')
    expect(stdout).toContain(`Failed\n  eye: ${first}\n    ${second}\n`)
    expect(stdout).toMatch(/^ *✗ eye .*…$/m)
  })

  it('gives back events, the whole result and the script as it ran', async () => {
    const bench = useWorkbench()
    const id = await finishedRun(bench)
    const events = (await bench.weft('events', id)).stdout.trimEnd().split('\n')
    expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ type: 'run-ended', seq: events.length })
    expect(JSON.parse((await bench.weft('events', id, '--json')).stdout)).toHaveLength(events.length)
    const { document } = await bench.json('result', id)
    expect(document['big']).toBe('x'.repeat(2_000_000))
    expect((await bench.weft('script', id)).stdout).toBe(readFileSync(`${bench.workspace}/sample.js`, 'utf8'))
  })

  it('knows a run by its id, a beginning, an end, in either case', async () => {
    const bench = useWorkbench()
    const id = await finishedRun(bench)
    for (const text of [id, id.toLowerCase(), id.slice(0, 8), id.slice(-5), id.slice(-5).toLowerCase()]) {
      // One host at a time makes the runs' order plain.
      // oxlint-disable-next-line no-await-in-loop
      expect(await bench.json('show', text)).toMatchObject({ code: 0, document: { runId: id } })
    }
  })

  it('names the choice where several runs fit, and refuses to cancel what has ended', async () => {
    const bench = useWorkbench()
    const first = await finishedRun(bench)
    await finishedRun(bench)
    const ambiguous = await bench.weft('show', first.slice(0, 3))
    expect(ambiguous.code).toBe(2)
    expect(ambiguous.stderr).toContain('could be any of 2 runs')
    const cancel = await bench.weft('cancel', first)
    expect(cancel.code).toBe(2)
    expect(cancel.stderr).toContain('is not live, there is nothing to cancel: completed (simulated)')
  })

  it('says that a run without a result has none', async () => {
    const bench = useWorkbench()
    bench.script('bad', "throw new Error('no')")
    const { document } = await bench.json('run', 'bad.js')
    const { code, stderr } = await bench.weft('result', String(document['runId']))
    expect(code).toBe(2)
    expect(stderr).toContain('has no result: it ended "error"')
  })
})
