// A host whose agents leave a trace of every time they were run, so that tests count what really happened.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HostCalls, JsonValue, RunId, RunState } from '../../../src/shared/index.ts'
import type { HostSession } from '../../../src/host/index.ts'
import { makeFolders, makeHost, writeFileIn, type Folders, type TestHost } from './make-host.ts'
import { script } from './scripts.ts'
import { watchRun } from './watch-run.ts'

const AGENT = join(import.meta.dirname, '..', 'agents', 'counting-agent.mjs')

export interface Ended {
  runId: RunId
  state: RunState
  result: JsonValue
}

type StartParams = HostCalls['run.start']['params']

/** Folders whose default back end is the counting agent. */
export async function makeCountingFolders(): Promise<Folders> {
  const folders = await makeFolders()
  const command = [process.execPath, AGENT, folders.root]
  const backends = { agent: { kind: 'command', protocol: 'jsonl', command } }
  const settings = { backends, defaultBackend: 'agent', maxConcurrentAgents: 4 }
  await writeFileIn(folders.dataDir, 'settings.json', JSON.stringify(settings))
  return folders
}

/** Prompts of all executions so far, in the order in which they began. */
export function executions({ root }: Pick<Folders, 'root'>): string[] {
  const file = join(root, 'executions')
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
}

/** What was executed since the last time. */
export function takeExecutions(folders: Folders): string[] {
  const taken = executions(folders)
  rmSync(join(folders.root, 'executions'), { force: true })
  return taken.sort()
}

/** Lets agents that fail until then succeed (`mended`), or those that wait go on (`open`). */
export function leaveMark({ root }: Folders, mark: 'mended' | 'open'): void {
  writeFileSync(join(root, mark), '')
}

export function wishOf({ workspace }: Folders, body: string): StartParams {
  return { workspace, source: { kind: 'text', text: script('test', body), fileName: 'test.js' } }
}

export interface CountingHost extends TestHost {
  run(body: string, more?: object): Promise<Ended>
  resume(runId: RunId, more?: Partial<StartParams>): Promise<Ended>
}

export async function makeCountingHost(given?: Folders): Promise<CountingHost> {
  const folders = given ?? (await makeCountingFolders())
  const made = await makeHost({ folders })
  return {
    ...made,
    run: (body, more = {}) => runToEnd(made.session, { ...wishOf(folders, body), ...more }),
    resume: (resumeFromRunId, more = {}) => runToEnd(made.session, { resumeFromRunId, ...more }),
  }
}

export async function runToEnd(session: HostSession, params: StartParams): Promise<Ended> {
  const { runId } = await session.call('run.start', params)
  return awaitEnd(session, runId)
}

export async function awaitEnd(session: HostSession, runId: RunId): Promise<Ended> {
  const watched = await watchRun(session, runId)
  const state = await watched.ended
  watched.stop()
  const { json } = await session.call('run.result', { runId })
  // What the host has stored is JSON.
  return { runId, state, result: json === null ? null : (JSON.parse(json) as JsonValue) }
}
