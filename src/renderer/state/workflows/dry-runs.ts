// Dry runs of open files: with the text on screen, the args and options last given for the file, the fixtures beside it.

import type { JsonValue } from '../../../shared/index.ts'
import type { Notices } from '../notices.ts'
import { argsViolations, describeRefusal, type DryRunReply, type RunActions } from '../runs/run-actions.ts'
import type { Memory } from '../storage.ts'
import { checkDryRunForm, describeSimulation, recallDryRun, type DryRunForm } from './dry-run-options.ts'

interface DryRunParts {
  actions: Pick<RunActions, 'dryRun'>
  memory: Memory
  notices: Notices
  /** Saves open fixtures of the script, so that it answers by what is on screen. */
  saveFixtures(path: string): Promise<void>
  /** Paths whose dry run is under way. */
  running: { has(path: string): boolean; add(path: string): void; delete(path: string): void }
  /** Opens what asks for the file's args. */
  askArgs(path: string): void
  show(path: string, reply: DryRunReply, inFront: boolean): void
}

export function createDryRuns({ actions, memory, notices, saveFixtures, running, askArgs, show }: DryRunParts) {
  const argsFor = (path: string): string => {
    const text = memory.read(`args:${path}`)
    return typeof text === 'string' ? text : ''
  }
  const formOf = (path: string): DryRunForm => recallDryRun(memory.read(`dry:${path}`))
  const made = new Map<string, readonly string[]>()
  return {
    /** What was out of the ordinary about the file's last dry run, in words. */
    madeHow: (path: string): readonly string[] => made.get(path) ?? [],
    /** Args last given for the file: a dry run takes them too. */
    argsFor,
    rememberArgs: (path: string, text: string): void => memory.write(`args:${path}`, text),
    formOf,
    rememberForm: (path: string, form: DryRunForm): void => memory.write(`dry:${path}`, form),

    /** Into the file's own tab. */
    async start(path: string, inFront = true): Promise<void> {
      if (running.has(path)) return
      running.add(path)
      try {
        await saveFixtures(path)
        const form = formOf(path)
        const reply = await actions.dryRun(path, parseArgs(argsFor(path)), checkDryRunForm(form).simulation)
        made.set(path, describeSimulation(form))
        show(path, reply, inFront)
      } catch (error) {
        const remedy = { label: 'Give args', run: () => askArgs(path) }
        notices.error(
          `No dry run of ${path.split(/[\\/]/).at(-1) ?? path}: ${describeRefusal(error)}`,
          argsViolations(error).length > 0 ? [remedy] : undefined,
        )
      } finally {
        running.delete(path)
      }
    },
    /** The dry run that the Run dialog takes its estimate from. Rejects with HostError. */
    async estimate(path: string, args: JsonValue | undefined): Promise<Pick<DryRunReply, 'plan' | 'envelope'>> {
      const { plan, envelope } = await actions.dryRun(path, args)
      return { plan, envelope }
    },
  }
}

/** The args from their text; undefined for an empty one and for text that is no JSON. */
export function parseArgs(text: string): JsonValue | undefined {
  if (text.trim() === '') return undefined
  try {
    // JSON.parse makes JSON values.
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
