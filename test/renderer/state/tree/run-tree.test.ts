import { describe, expect, it } from 'vitest'
import { buildRunTree, type TreeNode } from '../../../../src/renderer/state/tree/run-tree.ts'
import { asAgentNumber, asCallPath, EMPTY_RUN, foldRunAll, type AgentOutcome } from '../../../../src/shared/index.ts'
import { agentQueued, EventLog, runStarted } from '../../../support/shared/events.ts'

const meta = {
  name: 'sample',
  description: 'A sample.',
  phases: [{ title: 'Look' }, { title: 'Judge', detail: 'twice' }],
}

class RunLog extends EventLog {
  queue(agent: number, phase: string | null, group = 0): this {
    return this.add('agent-queued', agentQueued(agent, { phase, group }))
  }
  start(agent: number): this {
    return this.add('agent-started', { agent: asAgentNumber(agent), attempt: 1 })
  }
  end(agent: number, outcome: AgentOutcome): this {
    return this.add('agent-ended', {
      agent: asAgentNumber(agent),
      outcome,
      durationMs: 1,
      attempts: 1,
      usage: { outputTokens: 10 },
    })
  }
  phase(title: string, group = 0): this {
    return this.add('phase-started', { title, group })
  }
  tree(): TreeNode[] {
    const state = foldRunAll(EMPTY_RUN, this.events)
    return buildRunTree(state, state.status)
  }
}

const begin = (): RunLog => new RunLog().add('run-started', runStarted({ meta }))

/** The tree as indented lines: title and status. */
function outline(nodes: readonly TreeNode[], indent = ''): string[] {
  return nodes.flatMap((node) => [
    `${indent}${node.title} ${node.status}`,
    ...(node.kind === 'agent' ? [] : outline(node.children, `${indent}  `)),
  ])
}

describe('buildRunTree', () => {
  it('shows announced phases before they begin, as queued', () => {
    expect(outline(begin().tree())).toEqual(['Look queued', 'Judge queued'])
  })

  it('hangs agents into their phases, and those without one before them', () => {
    const log = begin().queue(1, null).phase('Look').queue(2, 'Look').start(2)
    expect(outline(log.tree())).toEqual(['agent 1 queued', 'Look running', '  agent 2 running', 'Judge queued'])
  })

  it('keeps the phase that began last running while the script may add to it', () => {
    const log = begin().phase('Look').queue(1, 'Look').start(1).end(1, 'completed')
    expect(outline(log.tree())).toEqual(['Look running', '  agent 1 completed', 'Judge queued'])
    expect(outline(log.phase('Judge').tree())).toEqual(['Look completed', '  agent 1 completed', 'Judge running'])
  })

  it('never shows a phase as done before its agents', () => {
    const log = begin().phase('Look').queue(1, 'Look').start(1).phase('Judge')
    expect(outline(log.tree())).toEqual(['Look running', '  agent 1 running', 'Judge running'])
  })

  it('shows a phase as failed when an agent of it failed', () => {
    const log = begin().phase('Look').queue(1, 'Look').queue(2, 'Look').start(1).start(2)
    log.end(1, 'completed').end(2, 'failed').phase('Judge')
    const [look] = log.tree()
    expect(look).toMatchObject({ status: 'failed', agents: 2, ended: 2, failed: 1, outputTokens: 20 })
  })

  it('shows what a finished run never reached as skipped', () => {
    const log = begin().phase('Look').add('run-ended', { outcome: 'completed', degraded: false, durationMs: 1 })
    expect(outline(log.tree())).toEqual(['Look completed', 'Judge skipped'])
  })

  it('shows agents of an interrupted run as cancelled, though their log stops early', () => {
    const log = begin().phase('Look').queue(1, 'Look').start(1)
    const tree = buildRunTree(foldRunAll(EMPTY_RUN, log.events), 'interrupted')
    expect(outline(tree)).toEqual(['Look cancelled', '  agent 1 cancelled', 'Judge skipped'])
  })

  it('hangs a nested workflow with its own phases under the phase that called it', () => {
    const log = begin()
      .phase('Look')
      .add('workflow-started', {
        group: 1,
        name: 'deep',
        path: asCallPath('/workflow:0'),
        fileName: 'deep.js',
        phase: 'Look',
      })
      .phase('Dig', 1)
      .queue(1, 'Dig', 1)
      .start(1)
    expect(outline(log.tree())).toEqual([
      'Look running',
      '  ▸ deep running',
      '    Dig running',
      '      agent 1 running',
      'Judge queued',
    ])
    log.end(1, 'completed').add('workflow-ended', { group: 1, outcome: 'completed' })
    expect(outline(log.tree()).slice(0, 4)).toEqual([
      'Look running',
      '  ▸ deep completed',
      '    Dig completed',
      '      agent 1 completed',
    ])
  })

  it('puts a nested workflow of an unknown phase at the top level', () => {
    const log = begin().add('workflow-started', {
      group: 1,
      name: 'deep',
      path: asCallPath('/workflow:0'),
      fileName: 'deep.js',
    })
    expect(outline(log.tree())).toEqual(['Look queued', 'Judge queued', '▸ deep running'])
  })

  it('makes a level for a phase that only an agent names', () => {
    expect(outline(begin().queue(1, 'Elsewhere').tree())).toEqual([
      'Look queued',
      'Judge queued',
      'Elsewhere queued',
      '  agent 1 queued',
    ])
  })

  it('gives a phase the time from its start to the end of its last agent', () => {
    const log = begin().phase('Look').queue(1, 'Look').start(1).end(1, 'completed').phase('Judge')
    expect(log.tree()[0]).toMatchObject({ startedAt: 2, endedAt: 5 })
  })
})
