import { describe, expect, it } from 'vitest'
import { useWorkbench } from '../../support/cli/workbench.ts'

const BODY = `phase('Find')
const found = await parallel([1, 2, 3].map((n) => () => agent('find ' + n, { label: 'finder ' + n })))
phase('Judge')
const verdict = await agent('judge', { label: 'judge' })
if (verdict === 'impossible') await agent('never')
return { found, verdict }`

describe('dry-run', () => {
  it('shows the plan and the estimate, and keeps nothing', async () => {
    const bench = useWorkbench()
    bench.script('plan', BODY)
    const { code, stdout } = await bench.weft('dry-run', 'plan.js', '--concurrency', '2')
    expect(code).toBe(0)
    expect(stdout).toContain('plan  dry run')
    expect(stdout).toMatch(/^Phase +Agents +From +To\nFind +3 .*\nJudge +1 /m)
    expect(stdout).toContain('At most 2 agents at once')
    expect(stdout).toMatch(/^Longest path finder \d → .*judge \(/m)
    expect(stdout).toMatch(/^Estimate .* output and .* input tokens, cost unknown \(from default figures\)$/m)
    expect(stdout).toContain('Not reached agent at plan.js:6:')
    expect(stdout).toContain('completed, 4 agents')
    expect((await bench.weft('runs')).stdout).toBe('no runs\n')
  })

  it('gives the envelope and the plan with --json, the same for the same seed', async () => {
    const bench = useWorkbench()
    bench.script('plan', BODY)
    const first = await bench.json('dry-run', 'plan.js', '--seed', '7')
    expect(first).toMatchObject({
      code: 0,
      document: {
        workflow: 'plan',
        outcome: 'completed',
        simulated: true,
        agentsStarted: 4,
        plan: {
          phases: [
            { title: 'Find', agents: 3 },
            { title: 'Judge', agents: 1 },
          ],
          peakConcurrency: expect.any(Number),
          longestPath: expect.any(Array),
          estimate: { basis: 'default' },
          unreached: [{ what: 'agent', line: 6 }],
        },
      },
    })
    const second = await bench.json('dry-run', 'plan.js', '--seed', '7')
    const { runId: _a, ...one } = first.document
    const { runId: _b, ...other } = second.document
    expect(other).toEqual(one)
  })

  it('answers from fixtures, beside the script or named', async () => {
    const bench = useWorkbench()
    bench.script('ask', "return await agent('judge', { label: 'judge' })")
    bench.write('ask.fixtures.json', JSON.stringify({ calls: [{ match: { label: 'judge' }, answer: 'beside' }] }))
    bench.write('named.json', JSON.stringify({ calls: [{ match: { label: 'judge' }, answer: 'named' }] }))
    expect((await bench.json('dry-run', 'ask.js')).document['result']).toBe('beside')
    expect((await bench.json('dry-run', 'ask.js', '--fixtures', 'named.json')).document['result']).toBe('named')
    const missing = await bench.json('dry-run', 'ask.js', '--fixtures', 'nope.json')
    expect(missing).toMatchObject({ code: 2, document: { error: { message: expect.stringContaining('nope.json') } } })
  })

  it('takes answers, durations and tokens from an earlier run', async () => {
    const bench = useWorkbench()
    const steps = [{ send: { type: 'result', output: 'yes', usage: { outputTokens: 1234 } } }]
    bench.useAgent('scripted-agent.mjs', [], { WEFT_TEST_STEPS: JSON.stringify(steps) })
    bench.script('ask', "return await agent('judge', { label: 'judge' })")
    const first = await bench.json('run', 'ask.js')
    expect(first.code).toBe(0)
    const runId = String(first.document['runId'])
    bench.script('ask', "return ['changed', await agent('judge', { label: 'judge' })]")
    const { stdout } = await bench.weft('dry-run', 'ask.js', '--answers-from', runId.slice(-8))
    expect(stdout).toMatch(/^Estimate .* 1,234 output .* \(from 1 earlier run\)$/m)
    expect(stdout).toContain(`Answers 1 of 1 from run ${runId}`)
    const again = await bench.json('dry-run', 'ask.js', '--answers-from', runId)
    expect(again.document).toMatchObject({
      result: ['changed', 'yes'],
      plan: { estimate: { basis: 'history', runs: 1 }, answers: { fromRun: runId, calls: 1 } },
    })
    const unknown = await bench.json('dry-run', 'ask.js', '--answers-from', 'ZZZZ')
    expect(unknown).toMatchObject({ code: 2, document: { error: { message: expect.stringContaining('no run ZZZZ') } } })
  })

  it('answers questions for permission by policy, and lists what nested workflows never reached', async () => {
    const bench = useWorkbench()
    bench.script('outer', "return await workflow('inner')")
    const inner = "const answer = await agent('x', { label: 'careful' })\nreturn answer ?? (await agent('never'))"
    bench.script('workflows/inner', inner)
    const permission = { title: 'Run rm', rejected: 'did without' }
    bench.write('outer.fixtures.json', JSON.stringify({ calls: [{ permission, answer: 'did it' }] }))
    const { code, stdout } = await bench.weft('dry-run', 'outer.js')
    expect(code).toBe(0)
    expect(stdout).toContain('Permission careful asks: Run rm (allow-once by policy)')
    expect(stdout).toMatch(/^Not reached agent at workflows\/inner\.js:\d+:/m)
    expect((await bench.json('dry-run', 'outer.js', '--reject-permissions')).document['result']).toBe('did without')
  })
})
