// How operations travel to the writer thread. A run's calls are by far the most of them; as lists they take half of what
// copying objects takes, which are sent with the name of every field.

import type { NumberedOperation, WriteOperation } from './protocol.ts'

type Call = Extract<WriteOperation, { kind: 'call' }>
type Close = Extract<WriteOperation, { kind: 'close' }>

type PackedCall = ReturnType<typeof packCall>
type PackedClose = ReturnType<typeof packClose>

export type PackedOperation = NumberedOperation | PackedCall | PackedClose

export function packOperation(numbered: NumberedOperation): PackedOperation {
  const { id, operation } = numbered
  if (operation.kind === 'call') return packCall(id, operation)
  return operation.kind === 'close' ? packClose(id, operation) : numbered
}

export function unpackOperation(packed: PackedOperation): NumberedOperation {
  if ('id' in packed) return packed
  return packed[0] === 'call' ? unpackCall(packed) : unpackClose(packed)
}

// Written out: what goes through names kept in a list is slower than the copying that it saves.

function packCall(id: number, { runId, agent, path, key, prompt, options, startedSeq }: Call) {
  return ['call' as const, id, runId, agent, path, key, prompt, options, startedSeq] as const
}

function unpackCall([kind, id, runId, agent, path, key, prompt, options, startedSeq]: PackedCall): NumberedOperation {
  return { id, operation: { kind, runId, agent, path, key, prompt, options, startedSeq } }
}

function packClose(id: number, op: Close) {
  const { runId, agent, path, key, outcome, result, usage, durationMs, startedSeq, origin, rejections, branch } = op
  const call = [runId, agent, path, key] as const
  return [
    'close' as const,
    id,
    ...call,
    outcome,
    result,
    usage,
    durationMs,
    startedSeq,
    origin,
    rejections,
    branch,
  ] as const
}

function unpackClose(packed: PackedClose): NumberedOperation {
  const [kind, id, runId, agent, path, key, outcome, result, usage, durationMs, startedSeq, origin, ...rest] = packed
  const [rejections, branch] = rest
  const call = { runId, agent, path, key, outcome, result, usage, durationMs, startedSeq, origin, rejections, branch }
  return { id, operation: { kind, ...call } }
}
