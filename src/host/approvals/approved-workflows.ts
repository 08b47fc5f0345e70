// The workflows that a harness's run calls: what was hashed is what runs, and a child that nobody was asked about is asked
// about when it is called.

import { WorkflowError, type PreparedScript, type ScriptText, type WorkflowSource } from '../../engine/index.ts'
import { HostError, type JsonValue, type RunId, type WorkflowMeta } from '../../shared/index.ts'
import type { SessionIdentity } from '../host.ts'
import type { Approvals } from './approvals.ts'

type Reference = Parameters<WorkflowSource['resolve']>[0]

/** Calls with a literal name or path. One that stands in a comment or a prompt does no harm: its source is hashed too. */
const LITERAL_CALL = /\bworkflow\s*\(\s*(\{\s*(['"]?)scriptPath\2\s*:\s*)?(['"`])((?:(?!\3)[^\\\n$])+)\3/g

function literalReferences(text: string): Reference[] {
  const found = [...text.matchAll(LITERAL_CALL)].map(([, isPath, , , name = '']) =>
    isPath === undefined ? name : { scriptPath: name },
  )
  const seen = new Set<string>()
  return found.filter((reference) => !seen.has(keyOf(reference)) && seen.add(keyOf(reference)))
}

const keyOf = (reference: Reference): string => JSON.stringify(reference)
const nameOf = (reference: Reference): string => (typeof reference === 'string' ? reference : reference.scriptPath)

export interface ApprovedRun {
  runId: RunId
  script: PreparedScript
  args: JsonValue | undefined
  identity: SessionIdentity
  signal: AbortSignal
  approvals: Approvals
  workflows: WorkflowSource
  /** Meta of a child, for the question about it. */
  readMeta(source: ScriptText): Promise<WorkflowMeta | null>
}

/**
 * Asks for leave to run the script with the workflows that it names, and resolves with the source of its children: the bytes
 * that were asked about. Rejects as Approvals does.
 */
export async function approveRun(run: ApprovedRun): Promise<WorkflowSource> {
  const { runId, script, args, identity, signal, approvals, workflows } = run
  const pinned = new Map<string, ScriptText>()
  const nested: { name: string; source: ScriptText }[] = []
  for (const reference of literalReferences(script.source.text)) {
    // What can't be resolved fails when it is called.
    // oxlint-disable-next-line no-await-in-loop -- few, and their order is part of the hash
    const source = await workflows.resolve(reference, script.source.path).catch(() => undefined)
    if (source === undefined) continue
    pinned.set(keyOf(reference), source)
    nested.push({ name: nameOf(reference), source })
  }
  await approvals.require({ runId, meta: script.meta, script: script.source, args, nested, identity }, signal)
  return {
    async resolve(reference, from) {
      const known = pinned.get(keyOf(reference))
      if (known !== undefined) return known
      const source = await workflows.resolve(reference, from)
      await requireChild(source, nameOf(reference), run)
      return source
    },
  }
}

async function requireChild(
  source: ScriptText,
  name: string,
  { runId, identity, approvals, readMeta }: ApprovedRun,
): Promise<void> {
  const meta = (await readMeta(source)) ?? { name, description: '' }
  try {
    await approvals.require({ runId, meta, script: source, nested: [], identity })
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    throw new WorkflowError('NESTED_WORKFLOW', error.message, { cause: error })
  }
}
