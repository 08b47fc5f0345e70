import { describe, expect, it } from 'vitest'
import { EMPTY_EXPANSION, reduceExpansion } from '../../../../src/renderer/state/tree/expansion.ts'
import { ancestorsOf, flattenTree } from '../../../../src/renderer/state/tree/rows.ts'
import { buildRunTree } from '../../../../src/renderer/state/tree/run-tree.ts'
import { treeKey, typeAhead } from '../../../../src/renderer/state/tree/tree-keys.ts'
import { EMPTY_RUN, foldRunAll } from '../../../../src/shared/index.ts'
import { agentQueued, EventLog, runStarted } from '../../../support/shared/events.ts'

const log = new EventLog()
  .add('run-started', runStarted())
  .add('phase-started', { title: 'Look', group: 0 })
  .add('phase-started', { title: 'Judge', group: 0 })
  .add('agent-queued', agentQueued(1, { phase: 'Look', label: 'reader' }))
  .add('agent-queued', agentQueued(2, { phase: 'Look', label: 'ranker' }))
  .add('agent-queued', agentQueued(3, { phase: 'Judge', label: 'judge' }))
const state = foldRunAll(EMPTY_RUN, log.events)
const tree = buildRunTree(state, state.status)
const closed = flattenTree(tree, EMPTY_EXPANSION)
const opened = flattenTree(tree, reduceExpansion(EMPTY_EXPANSION, { type: 'set', id: 'phase:0:Look', open: true }))
const press = (key: string, active?: string, rows = opened) => treeKey(rows, active, key, 10)

describe('the rows', () => {
  it('hold only what is open, with level, position and number of siblings', () => {
    expect(closed.map(({ id }) => id)).toEqual(['phase:0:Look', 'phase:0:Judge'])
    expect(opened.map(({ id, level, position, siblings, open }) => ({ id, level, position, siblings, open }))).toEqual([
      { id: 'phase:0:Look', level: 1, position: 1, siblings: 2, open: true },
      { id: 'agent:1', level: 2, position: 1, siblings: 2, open: undefined },
      { id: 'agent:2', level: 2, position: 2, siblings: 2, open: undefined },
      { id: 'phase:0:Judge', level: 1, position: 2, siblings: 2, open: false },
    ])
  })

  it('know the levels around a node', () => {
    expect([ancestorsOf(tree, 'agent:3'), ancestorsOf(tree, 'phase:0:Look'), ancestorsOf(tree, 'agent:9')]).toEqual([
      ['phase:0:Judge'],
      [],
      [],
    ])
  })
})

describe('a key in the tree', () => {
  it('moves to the next, the previous, the first and the last row, and stops at the ends', () => {
    expect(press('ArrowDown', 'phase:0:Look')).toEqual({ active: 'agent:1' })
    expect(press('ArrowUp', 'phase:0:Look')).toEqual({ active: 'phase:0:Look' })
    expect(press('Home', 'agent:2')).toEqual({ active: 'phase:0:Look' })
    expect(press('End', 'agent:2')).toEqual({ active: 'phase:0:Judge' })
    expect(press('PageDown', 'agent:1')).toEqual({ active: 'phase:0:Judge' })
  })

  it('begins at the first row when none is active', () => {
    expect(press('ArrowDown')).toEqual({ active: 'phase:0:Look' })
  })

  it('opens a closed level to the right and goes into an open one', () => {
    expect(press('ArrowRight', 'phase:0:Judge')).toEqual({
      expansion: { type: 'set', id: 'phase:0:Judge', open: true },
    })
    expect(press('ArrowRight', 'phase:0:Look')).toEqual({ active: 'agent:1' })
    expect(press('ArrowRight', 'agent:1')).toEqual({})
  })

  it('closes an open level to the left and goes from a row to its level', () => {
    expect(press('ArrowLeft', 'phase:0:Look')).toEqual({ expansion: { type: 'set', id: 'phase:0:Look', open: false } })
    expect(press('ArrowLeft', 'agent:2')).toEqual({ active: 'phase:0:Look' })
  })

  it('activates with Enter and Space', () => {
    expect([press('Enter', 'agent:2'), press(' ', 'agent:2')]).toEqual([
      { active: 'agent:2', activate: 'agent:2' },
      { active: 'agent:2', activate: 'agent:2' },
    ])
  })

  it('opens all siblings with the asterisk', () => {
    expect(press('*', 'phase:0:Look')).toEqual({
      expansion: { type: 'set-all', ids: ['phase:0:Look', 'phase:0:Judge'], open: true },
    })
  })

  it('is not the business of the tree when it means nothing there', () => {
    expect([press('F5', 'agent:1'), treeKey([], undefined, 'Home', 10)]).toEqual([undefined, undefined])
  })
})

describe('type-ahead', () => {
  it('goes to the next title that begins with what was typed, around the end', () => {
    expect(typeAhead(opened, 'phase:0:Look', 'j')).toBe('phase:0:Judge')
    expect(typeAhead(opened, 'phase:0:Judge', 'r')).toBe('agent:1')
  })

  it('goes on to the next match when the same letter comes again', () => {
    expect(typeAhead(opened, 'agent:1', 'rr')).toBe('agent:2')
  })

  it('narrows down as a word grows', () => {
    expect(typeAhead(opened, 'agent:1', 'ra')).toBe('agent:2')
    expect(typeAhead(opened, 'agent:1', 're')).toBe('agent:1')
  })

  it('stays where it is when nothing matches', () => {
    expect(typeAhead(opened, 'agent:1', 'x')).toBeUndefined()
  })
})
