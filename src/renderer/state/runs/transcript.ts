// What one agent did, in order, from its progress events: bounded, so that a thousand talkative agents fit in memory.

import { cutText, tailText, type AgentProgress, type RunEvent } from '../../../shared/index.ts'

export type TranscriptItem =
  | { kind: 'text'; text: string; cut: boolean }
  | {
      kind: 'tool'
      tool: string
      title?: string
      status?: 'running' | 'completed' | 'failed'
      input?: string
      output?: string
    }
  | { kind: 'rejected'; errors: readonly string[]; answer: string }
  | { kind: 'attempt'; attempt: number; failure: string; error: string }
  | { kind: 'raw'; text: string }

export interface Transcript {
  items: readonly TranscriptItem[]
  /** Items no longer kept. */
  dropped: number
}

export const EMPTY_TRANSCRIPT: Transcript = { items: [], dropped: 0 }

const MOST_ITEMS = 200
const LONGEST_TEXT = 16_384

/** The transcript after one more event of this agent; the same object when the event says nothing for it. */
export function foldTranscript(transcript: Transcript, event: RunEvent): Transcript {
  if (event.type === 'agent-attempt-failed') {
    const { attempt, failure, error } = event
    return append(transcript, { kind: 'attempt', attempt, failure, error })
  }
  return event.type === 'agent-progress' ? foldProgress(transcript, event.progress) : transcript
}

function foldProgress(transcript: Transcript, progress: AgentProgress): Transcript {
  switch (progress.kind) {
    case 'text':
      return foldText(transcript, progress.text)
    case 'tool':
      return foldTool(transcript, progress)
    case 'rejected':
      return append(transcript, { kind: 'rejected', errors: progress.errors, answer: tail(progress.answer).text })
    case 'raw':
      return append(transcript, { kind: 'raw', text: tail(progress.text).text })
    case 'usage':
      return transcript
  }
}

function foldText(transcript: Transcript, text: string): Transcript {
  const last = transcript.items.at(-1)
  if (last?.kind !== 'text') return append(transcript, { kind: 'text', ...tail(text) })
  const joined = tail(last.text + text)
  return replaceAt(transcript, transcript.items.length - 1, {
    kind: 'text',
    text: joined.text,
    cut: last.cut || joined.cut,
  })
}

// A tool's later states replace its running one: an agent may have several running at once.
function foldTool(transcript: Transcript, progress: Extract<AgentProgress, { kind: 'tool' }>): Transcript {
  const { tool, title, status, input, output } = progress
  const item: TranscriptItem = {
    kind: 'tool',
    tool,
    ...(title !== undefined && { title }),
    ...(status !== undefined && { status }),
    ...(input !== undefined && { input: cutText(JSON.stringify(input, null, 2), LONGEST_TEXT) }),
    ...(output !== undefined && { output: tail(output).text }),
  }
  const open = transcript.items.findIndex(
    (known) => known.kind === 'tool' && known.tool === tool && known.title === title && known.status === 'running',
  )
  const before = transcript.items[open]
  if (before?.kind !== 'tool') return append(transcript, item)
  // What it was given is told once, when it begins.
  return replaceAt(transcript, open, { ...(before.input !== undefined && { input: before.input }), ...item })
}

function append(transcript: Transcript, item: TranscriptItem): Transcript {
  const items = [...transcript.items, item]
  const over = Math.max(0, items.length - MOST_ITEMS)
  return { items: over > 0 ? items.slice(over) : items, dropped: transcript.dropped + over }
}

function replaceAt(transcript: Transcript, index: number, item: TranscriptItem): Transcript {
  const items = [...transcript.items]
  items[index] = item
  return { ...transcript, items }
}

function tail(text: string): { text: string; cut: boolean } {
  return { text: tailText(text, LONGEST_TEXT), cut: text.length > LONGEST_TEXT }
}
