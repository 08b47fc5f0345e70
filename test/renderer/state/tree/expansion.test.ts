import { describe, expect, it } from 'vitest'
import {
  EMPTY_EXPANSION,
  initialExpansion,
  isOpen,
  reduceExpansion,
  type Expansion,
} from '../../../../src/renderer/state/tree/expansion.ts'
import { buildRunTree, type TreeNode } from '../../../../src/renderer/state/tree/run-tree.ts'
import { asAgentNumber, EMPTY_RUN, foldRunAll, type AgentOutcome } from '../../../../src/shared/index.ts'
import { agentQueued, EventLog, runStarted } from '../../../support/shared/events.ts'

const LOOK = 'phase:0:Look'

function tree(outcome?: AgentOutcome, agents = 1): TreeNode[] {
  const log = new EventLog().add('run-started', runStarted()).add('phase-started', { title: 'Look', group: 0 })
  for (let n = 1; n <= agents; n++) {
    log
      .add('agent-queued', agentQueued(n, { phase: 'Look' }))
      .add('agent-started', { agent: asAgentNumber(n), attempt: 1 })
    if (outcome) log.add('agent-ended', { agent: asAgentNumber(n), outcome, durationMs: 1, attempts: 1 })
  }
  if (outcome) log.add('phase-started', { title: 'Judge', group: 0 })
  const state = foldRunAll(EMPTY_RUN, log.events)
  return buildRunTree(state, state.status)
}

const follow = (expansion: Expansion, now: TreeNode[], keepOpen: string[] = []): Expansion =>
  reduceExpansion(expansion, { type: 'tree-changed', tree: now, keepOpen: new Set(keepOpen) })

describe('the expansion of the tree', () => {
  it('opens a level on running work', () => {
    expect(isOpen(follow(EMPTY_EXPANSION, tree()), LOOK)).toBe(true)
  })

  it('folds a level on clean completion, once', () => {
    const done = follow(follow(EMPTY_EXPANSION, tree()), tree('completed'))
    expect(isOpen(done, LOOK)).toBe(false)
    const again = follow(done, tree())
    expect(isOpen(again, LOOK)).toBe(true)
    expect(isOpen(follow(again, tree('completed')), LOOK)).toBe(true)
  })

  it('leaves a level open that failed', () => {
    expect(isOpen(follow(follow(EMPTY_EXPANSION, tree()), tree('failed')), LOOK)).toBe(true)
  })

  it('opens a level that is seen only after it failed', () => {
    expect(isOpen(follow(EMPTY_EXPANSION, tree('failed')), LOOK)).toBe(true)
  })

  it("lets the user's choice stand", () => {
    const closed = reduceExpansion(follow(EMPTY_EXPANSION, tree()), { type: 'toggle', id: LOOK })
    expect(isOpen(follow(closed, tree('failed')), LOOK)).toBe(false)
    const opened = reduceExpansion(closed, { type: 'set', id: LOOK, open: true })
    expect(isOpen(follow(opened, tree('completed')), LOOK)).toBe(true)
  })

  it('folds nothing around the selected row', () => {
    expect(isOpen(follow(follow(EMPTY_EXPANSION, tree()), tree('completed'), [LOOK]), LOOK)).toBe(true)
  })

  it('stays the same object when nothing changes', () => {
    const once = follow(EMPTY_EXPANSION, tree())
    expect(follow(once, tree())).toBe(once)
  })

  it('shows a small finished run opened out, and of a big one only what failed', () => {
    expect(isOpen(initialExpansion(tree('completed', 3)), LOOK)).toBe(true)
    expect(isOpen(initialExpansion(tree('completed', 50)), LOOK)).toBe(false)
    expect(isOpen(initialExpansion(tree('failed', 50)), LOOK)).toBe(true)
  })
})
