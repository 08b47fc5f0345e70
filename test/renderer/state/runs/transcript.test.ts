import { describe, expect, it } from 'vitest'
import { EMPTY_TRANSCRIPT, foldTranscript } from '../../../../src/renderer/state/runs/transcript.ts'
import { asAgentNumber, type AgentProgress, type RunEvent } from '../../../../src/shared/index.ts'

const progress = (value: AgentProgress): RunEvent => ({
  seq: 1,
  at: 1,
  type: 'agent-progress',
  agent: asAgentNumber(1),
  progress: value,
})
const fold = (...steps: AgentProgress[]) => steps.map(progress).reduce(foldTranscript, EMPTY_TRANSCRIPT)

describe('the transcript of an agent', () => {
  it('joins pieces of text that follow each other', () => {
    expect(fold({ kind: 'text', text: 'a' }, { kind: 'text', text: 'b' }).items).toEqual([
      { kind: 'text', text: 'ab', cut: false },
    ])
  })

  it('begins a new text after a tool call', () => {
    const { items } = fold({ kind: 'text', text: 'a' }, { kind: 'tool', tool: 'read' }, { kind: 'text', text: 'b' })
    expect(items.map((item) => item.kind)).toEqual(['text', 'tool', 'text'])
  })

  it('lets the end of a tool call take the place of its beginning, others running beside it', () => {
    const { items } = fold(
      { kind: 'tool', tool: 'read', title: 'a.ts', status: 'running' },
      { kind: 'tool', tool: 'read', title: 'b.ts', status: 'running' },
      { kind: 'tool', tool: 'read', title: 'a.ts', status: 'completed', output: '12 lines' },
    )
    expect(items).toEqual([
      { kind: 'tool', tool: 'read', title: 'a.ts', status: 'completed', output: '12 lines' },
      { kind: 'tool', tool: 'read', title: 'b.ts', status: 'running' },
    ])
  })

  it('says nothing of usage', () => {
    expect(fold({ kind: 'usage', usage: { outputTokens: 3 } })).toBe(EMPTY_TRANSCRIPT)
  })

  it('keeps the last 200 items and counts the others', () => {
    const steps = Array.from({ length: 205 }, (_, i): AgentProgress => ({ kind: 'tool', tool: `t${i}` }))
    const { items, dropped } = fold(...steps)
    expect({ kept: items.length, dropped, first: items[0] }).toEqual({
      kept: 200,
      dropped: 5,
      first: { kind: 'tool', tool: 't5' },
    })
  })

  it('keeps the end of a long text, cut between characters', () => {
    const [item] = fold({ kind: 'text', text: '😀'.repeat(10_000) }).items
    expect(item).toEqual({ kind: 'text', text: '😀'.repeat(8192), cut: true })
  })
})
