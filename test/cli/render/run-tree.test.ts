import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { asAgentNumber } from '../../../src/shared/index.ts'
import { renderRunTree } from '../../../src/cli/render/run-tree.ts'
import { makeStyle } from '../../../src/cli/render/style.ts'
import { agentQueued, EventLog, runStarted } from '../../support/shared/events.ts'
import { fold, liveRun, nestedRun, plainStyle, START, wideRun } from './sample-runs.ts'

const all = { width: Infinity, height: Infinity }
const view = { style: plainStyle, now: START + 12_000, frame: 0 }

describe('renderRunTree', () => {
  it('shows phases, agents, what they do and how far the run is', () => {
    expect(renderRunTree(fold(liveRun()), view, all)).toEqual([
      'review  01JTESTRUN0000000000000000  claude',
      '  ✓ scout  3.1s  640 tokens',
      '  Find  1/3, 1 failed  8.9s',
      '    ✗ a.ts  900ms  failed, exit code 7',
      '    ⠋ b.ts  8.9s  read: src/b.ts',
      '    · evil\\u001b[2J label  queued',
      '  Judge  waiting',
      '⠋ running · 2 of 4 agents done, 1 running, 1 queued, 1 failed · 12s · 640 output tokens',
    ])
  })

  it('hangs a nested workflow under the phase that called it', () => {
    expect(renderRunTree(fold(nestedRun()), view, all)).toEqual([
      'outer  01JTESTRUN0000000000000000  simulated',
      '  Find',
      '    ▸ inner',
      '      Look  1/1  500ms',
      '        ✓ eye  500ms',
      '  Judge',
      'completed, 1 agent · 600ms · 0 output tokens',
    ])
  })

  it('keeps running agents and says how many it leaves out', () => {
    expect(renderRunTree(fold(wideRun(20, 2, 5)), view, { width: Infinity, height: 8 })).toEqual([
      'wide  01JTESTRUN0000000000000000  simulated',
      '  All  20/27  12s',
      '    ⠋ a21  12s',
      '    ⠋ a22  12s',
      '    · a23  queued',
      '    · a24  queued',
      '    … 23 more',
      '⠋ running · 20 of 27 agents done, 2 running, 5 queued · 12s · 0 output tokens',
    ])
  })

  it('leaves out phases when even their titles are too many', () => {
    const log = new EventLog().add('run-started', runStarted(), START)
    for (let n = 1; n <= 9; n++) log.add('phase-started', { title: `P${n}`, group: 0 }, START)
    log.add('agent-queued', agentQueued(1, { phase: 'P2', label: 'busy' }), START)
    expect(renderRunTree(fold(log), view, { width: Infinity, height: 6 }).slice(1, -1)).toEqual([
      '  … 6 more phases',
      '  P2  0/1',
      '  P8',
      '  P9',
    ])
  })

  it('counts spending in the unit of the budget, replayed calls included', () => {
    const log = new EventLog()
      .add('run-started', runStarted({ budgetTokens: 18_000 }), START)
      .add('agent-queued', agentQueued(1), START)
      .add('agent-ended', {
        agent: asAgentNumber(1),
        outcome: 'replayed',
        durationMs: 0,
        attempts: 0,
        usage: { outputTokens: 18_000 },
      })
    expect(renderRunTree(fold(log), view, all).at(-1)).toContain('18,000 of 18,000 output tokens · 18,000 replayed')
  })

  it('says of a degraded run what failed, and never in green', () => {
    const log = liveRun()
      .add('agent-ended', { agent: asAgentNumber(3), outcome: 'completed', durationMs: 9000, attempts: 1 })
      .add('agent-ended', { agent: asAgentNumber(4), outcome: 'skipped', durationMs: 0, attempts: 0 })
      .add('run-ended', { outcome: 'completed', degraded: true, durationMs: 12_000 }, START + 12_000)
    const style = makeStyle({ colors: true, unicode: true })
    expect(renderRunTree(fold(log), { ...view, style }, all).at(-1)).toBe(
      `${style.colors.yellow('completed with failures: 1 failed of 4 agents')} · 12s · 640 output tokens`,
    )
  })

  it('sums up a phase that is over', () => {
    const log = new EventLog().add('run-started', runStarted(), START).add('phase-started', { title: 'P', group: 0 })
    for (const [n, at] of [700, 400].entries()) {
      const agent = asAgentNumber(n + 1)
      log.add('agent-queued', agentQueued(n + 1, { phase: 'P' }), START)
      log.add('agent-started', { agent, attempt: 1 }, START)
      const usage = { outputTokens: 1000 }
      log.add('agent-ended', { agent, outcome: 'completed', durationMs: at, attempts: 1, usage }, START + at)
    }
    expect(renderRunTree(fold(log), view, all)[1]).toBe('  P  2/2  700ms  2.0k tokens')
  })

  it('says why a run is paused', () => {
    const log = liveRun().add('run-paused', { by: 'limit', reason: 'quota, resets soon' }, START + 5000)
    expect(renderRunTree(fold(log), view, all).at(-1)).toMatch(/^paused: quota, resets soon · 2 of 4 agents done/)
  })

  it('does without Unicode where the terminal has none', () => {
    const ascii = { ...view, style: makeStyle({ colors: false, unicode: false }) }
    expect(renderRunTree(fold(liveRun()), ascii, all).slice(1, 5)).toEqual([
      '  + scout  3.1s  640 tokens',
      '  Find  1/3, 1 failed  8.9s',
      '    x a.ts  900ms  failed, exit code 7',
      '    | b.ts  8.9s  read: src/b.ts',
    ])
  })

  it('never exceeds the terminal, whatever the run and the size', () => {
    const sizes = fc.record({ width: fc.integer({ min: 1, max: 100 }), height: fc.integer({ min: 2, max: 40 }) })
    const few = fc.integer({ min: 0, max: 12 })
    fc.assert(
      fc.property(few, few, few, sizes, (done, running, queued, size) => {
        for (const log of [wideRun(done, running, queued), nestedRun(), liveRun()]) {
          const lines = renderRunTree(fold(log), view, size)
          expect(lines.length).toBeLessThanOrEqual(size.height)
          expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(size.width)
        }
      }),
      { numRuns: 200 },
    )
  })
})
