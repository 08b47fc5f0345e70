// Real hosts for tests: each with folders of its own, from the sources, with a real agent program as its back end.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import {
  createHost,
  type Host,
  type HostOptions,
  type HostSession,
  type SessionIdentity,
} from '../../../src/host/index.ts'
import { bundleWorker } from '../engine/worker-files.ts'
import { hostOptions, type Folders } from './host-options.ts'

import { createLogKeeper, type LogEntry } from './quiet-logger.ts'
import { createTempFolder, makeTempFolder, removeFolder } from './temp-folder.ts'

export { hostOptions, type Folders }

/** Answers each prompt with `<prompt>!` after the milliseconds that `WAIT:<ms>` in it asks for. */
export const ECHO_AGENT = join(import.meta.dirname, 'echo-agent.mjs')

export async function makeFolders(): Promise<Folders> {
  return makeFoldersIn(await makeTempFolder())
}

export async function makeFoldersIn(root: string): Promise<Folders> {
  const at = (name: string): string => join(root, name)
  const folders = {
    root,
    dataDir: at('data'),
    configDir: at('config'),
    workspace: at('workspace'),
    bundledWorkflows: at('bundled'),
    home: at('home'),
  }
  await Promise.all(Object.values(folders).map((folder) => mkdir(folder, { recursive: true })))
  return folders
}

export async function writeFileIn(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
  return path
}

/** Settings that make the echo agent the default back end. */
export async function useEchoAgent({ dataDir }: Folders): Promise<void> {
  const backends = { echo: { kind: 'command', protocol: 'jsonl', command: [process.execPath, ECHO_AGENT] } }
  await writeFileIn(dataDir, 'settings.json', JSON.stringify({ backends, defaultBackend: 'echo' }))
}

export interface TestHost {
  host: Host
  folders: Folders
  entries: LogEntry[]
  session: HostSession
}

interface MakeHostOptions {
  folders?: Folders
  identity?: Partial<SessionIdentity>
  socket?: boolean
}

/** A host on its own folders, or on those given; it ends with the test. */
export async function makeHost(options: MakeHostOptions = {}): Promise<TestHost> {
  const made = await startHost(options.folders ?? (await makeFolders()), options)
  onTestFinished(() => made.host.dispose('the test has ended'))
  return made
}

/** One host for several tests, for those that change nothing in it; `prepare` is given its folders before it starts. */
export function shareHost(
  prepare?: (folders: Folders) => Promise<void>,
  options: Pick<MakeHostOptions, 'socket'> = {},
): () => TestHost {
  let made: TestHost | undefined
  beforeAll(async () => {
    const folders = await makeFoldersIn(await createTempFolder())
    await prepare?.(folders)
    made = await startHost(folders, options)
  })
  afterAll(async () => {
    await made?.host.dispose('the tests have ended')
    if (made !== undefined) await removeFolder(made.folders.root)
  })
  return () => made ?? expect.unreachable('the host is there once a test runs')
}

async function startHost(folders: Folders, options: MakeHostOptions = {}): Promise<TestHost> {
  const { logger, entries } = createLogKeeper()
  const host = await createHost({
    ...hostOptions(folders, logger),
    workers: await bundledWorkers(),
    socket: options.socket ?? false,
  })
  const session = host.openSession({ kind: 'test', workspace: folders.workspace, ...options.identity })
  return { host, folders, entries, session }
}

/** As the product ships them, since they start so much faster than the sources. */
export async function bundledWorkers(): Promise<HostOptions['workers']> {
  const [sandbox, checker, writer, answers, reaper] = await Promise.all([
    bundleWorker('engine/sandbox/worker.ts'),
    bundleWorker('engine/check/worker.ts'),
    bundleWorker('store/writer-worker.ts'),
    bundleWorker('agents/simulated/generate/answer-worker.ts'),
    bundleWorker('agents/process/reaper.ts'),
  ])
  return { sandbox, checker, writer, answers, reaper }
}
