// What calls of this workflow took before, as the simulated agents of a dry run ask for it.

import type { History, HistorySample } from '../../agents/index.ts'
import type { RunId } from '../../shared/index.ts'
import type { CallSample, Store } from '../../store/index.ts'
import { isSimulated } from '../backends/kinds.ts'
import { BUILT_IN_BACKEND } from '../settings/check-settings.ts'
import type { Settings } from '../settings/schema.ts'

const RUNS = 10
const CALLS = 2000
/** From here on a middle can be told from what lies far off it. */
const ENOUGH = 3
/** A call that sat out a spent quota or a sleeping machine took hours instead of minutes: the next one won't. */
const FAR_OFF = 10

/** Reads the latest real runs of the workflow in the workspace. Calls that named a simulated back end are left out. */
export async function readCallHistory(
  store: Pick<Store, 'readCallHistory'>,
  { workflow, workspace, settings }: { workflow: string; workspace: string; settings: Settings },
): Promise<CallHistory> {
  const samples = await store.readCallHistory({ workflow, workspace, runs: RUNS, calls: CALLS })
  return new CallHistory(samples.filter(({ backend }) => !isMadeUp(backend, settings)))
}

interface SampleList {
  samples: readonly HistorySample[]
  runs: readonly RunId[]
}

export class CallHistory {
  readonly #byLabel: ReadonlyMap<string, SampleList>
  readonly #byPhase: ReadonlyMap<string | null, SampleList>
  readonly #all: SampleList
  readonly #consulted = new Set<SampleList>()

  constructor(samples: readonly CallSample[]) {
    this.#byLabel = groupBy(samples, ({ label }) => label)
    this.#byPhase = groupBy(samples, ({ phase }) => phase)
    this.#all = toList(samples)
  }

  /** Calls of the same label; without any, of the same phase; without any, all. */
  readonly find: History = ({ label, phase }) => {
    const list = this.#byLabel.get(label) ?? this.#byPhase.get(phase) ?? this.#all
    this.#consulted.add(list)
    return list.samples
  }

  /** The runs that any of the samples given out came from. */
  get consulted(): Set<RunId> {
    return new Set([...this.#consulted].flatMap(({ runs }) => runs))
  }
}

function groupBy<Key>(samples: readonly CallSample[], keyOf: (sample: CallSample) => Key): Map<Key, SampleList> {
  const groups = new Map<Key, CallSample[]>()
  for (const sample of samples) {
    const key = keyOf(sample)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [sample])
    else group.push(sample)
  }
  return new Map([...groups].map(([key, group]) => [key, toList(group)]))
}

function toList(samples: readonly CallSample[]): SampleList {
  const kept = dropFarOff(samples)
  return { samples: kept.map(toHistorySample), runs: kept.map(({ runId }) => runId) }
}

function dropFarOff(samples: readonly CallSample[]): readonly CallSample[] {
  if (samples.length < ENOUGH) return samples
  const durations = samples.map(({ durationMs }) => durationMs).sort((a, b) => a - b)
  const median = durations[durations.length >> 1] ?? 0
  return samples.filter(({ durationMs }) => durationMs <= median * FAR_OFF)
}

function toHistorySample({ durationMs, usage }: CallSample): HistorySample {
  if (usage === null) return { durationMs }
  const { outputTokens, inputTokens, costUsd } = usage
  return {
    durationMs,
    outputTokens,
    ...(inputTokens !== undefined && { inputTokens }),
    ...(costUsd !== undefined && { costUsd }),
  }
}

/** A real run's call may name a back end that makes its answers up. */
function isMadeUp(backend: string, { backends }: Settings): boolean {
  const own = backends?.[backend]
  return own === undefined ? backend === BUILT_IN_BACKEND : isSimulated(own)
}
