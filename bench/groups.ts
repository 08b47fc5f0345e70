// What there is to measure, by the names that the command line takes.

import { ENGINE_ROWS, measureEngine } from './engine/engine-rows.ts'
import { RESUME_ROWS, measureResume } from './engine/resume-rows.ts'
import { EDITOR_ROWS, measureEditor } from './host/editor-rows.ts'
import { HOST_ROWS, measureHost } from './host/host-rows.ts'
import { measureTools, TOOL_ROWS } from './host/tool-rows.ts'
import type { Benchmark, Row } from './lib/row.ts'
import { STORE_ROWS, measureStore } from './store/store-rows.ts'
import { WINDOW_ROWS, measureWindow } from './window/window-rows.ts'

interface Group {
  rows: Readonly<Record<string, Benchmark>>
  /** Needs the programs in bench/peers. */
  peers: boolean
  measure(): Promise<Row[]>
}

export const GROUPS = {
  engine: { rows: ENGINE_ROWS, peers: true, measure: measureEngine },
  resume: { rows: RESUME_ROWS, peers: false, measure: measureResume },
  editor: { rows: EDITOR_ROWS, peers: false, measure: measureEditor },
  store: { rows: STORE_ROWS, peers: false, measure: measureStore },
  host: { rows: HOST_ROWS, peers: false, measure: measureHost },
  tools: { rows: TOOL_ROWS, peers: false, measure: measureTools },
  window: { rows: WINDOW_ROWS, peers: false, measure: () => measureWindow() },
} satisfies Record<string, Group>

export type GroupName = keyof typeof GROUPS

export function isGroup(name: string): name is GroupName {
  return Object.hasOwn(GROUPS, name)
}

/** The lines of the performance contract that are measured here. */
export const GOALS: Readonly<Record<string, string>> = {
  parallel: '1,000 no-op agents in one `parallel`, durable: at most 1.0 × dsh',
  pipeline: '100 items × 10 stages, durable: at most 1.2 × dsh',
  sequential: '1,000 sequential agents: at most 2 × a bare loop of 1,000 FULL commits',
  resume: 'resume of 1,000 finished calls: at most 200 ms and 1.5 × the null store',
  journal: 'a journal of 100,000 rows: read within 3 s, in less than twice its file of memory',
  empty: 'empty run on a warm worker: at most 15 ms',
  dryRun: 'dry run of 1,000 agents with schemas, plan included: at most 400 ms',
  diagnostics: 'diagnostics of a 1,000-line script, key stroke to markers: at most 150 ms',
  store: 'store with 1,000 runs × 200 agents: list, filter, full-text search p95 at most 50 ms',
  loop: 'host under 8 runs × 16 agents: main loop delay p99 at most 20 ms',
  memory: 'host after 500 runs: at most 5 % more memory than after the first 50',
  status: '`workflow_status` through bridge and socket: p50 at most that of an echo and 2 ms',
  start: '`weft mcp` answers `initialize` and `tools/list` within 300 ms, whether a host runs or not',
  window:
    'window with 1,000 agents, 16 streaming at 20 events/s: frame p95 at most 17 ms, event to paint p95 at most 100 ms, ' +
    'heap at most 150 MB, no task over 50 ms',
  growth: 'agents 100 → 1,000 → 10,000: time an agent within 1.3 ×',
}
