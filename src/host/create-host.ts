// Puts a host together: lock, store, recovery, engine, local socket; and takes it apart again in the other order.

import { homedir } from 'node:os'
import { join } from 'node:path'
import {
  AgentDetector,
  BranchKeeper,
  createAnswerGenerator,
  createGit,
  createReaper,
  endOrphans,
  Worktrees,
} from '../agents/index.ts'
import { createEngine } from '../engine/index.ts'
import { HostError, type ToolDoor } from '../shared/index.ts'
import { BackendRegistry } from './backends/registry.ts'
import type { Host, HostOptions } from './host.ts'
import { Connections } from './connections/connections.ts'
import { Drafts } from './drafts/drafts.ts'
import { keepHttpToken } from './socket/token-file.ts'
import { closeFile, closeFolder, makePrivateFile } from './lib/private-files.ts'
import { createRunIds } from './lib/run-ids.ts'
import { acquireDataFolder, describeOwner, type DataFolderLock } from './lock/acquire-data-folder.ts'
import { openSoundStore } from './open-sound-store.ts'
import { RunningHost } from './running-host.ts'
import { LiveRuns } from './runs/live-runs.ts'
import { SettingsFile } from './settings/settings-file.ts'
import { serveSocket, type SocketDoor } from './socket/serve-socket.ts'
import { WorkflowCatalog } from './workspace/catalog.ts'

/**
 * Takes the data folder, ends the runs of a dead host, and listens on the local socket. Rejects with CONFLICT, naming the
 * owner, when another host has the folder (`connectHost` acts through that one).
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const lock = takeFolder(options)
  const undo: (() => void | Promise<void>)[] = [() => lock.release()]
  const startedAt = Date.now()
  try {
    lock.announce({ pid: process.pid, version: options.version, socket: null, startedAt })
    const host = await build(options, undo)
    const tools = openTools(options, host)
    if (tools !== undefined) undo.push(() => tools.close())
    await listenHttp(options, tools)
    const door = await openSocket(options, host, tools)
    if (door !== undefined) {
      undo.push(() => door.close())
      lock.announce({ pid: process.pid, version: options.version, socket: door.path, startedAt })
    }
    return host
  } catch (error) {
    await unwind(undo, options)
    throw error
  }
}

function takeFolder({ dataDir }: HostOptions): DataFolderLock {
  const taken = acquireDataFolder(dataDir)
  if (taken.held) return taken.lock
  throw new HostError({
    code: 'CONFLICT',
    message: `${dataDir} is in use by ${describeOwner(taken.owner)}: end it first, or choose another data folder`,
  })
}

function openTools({ tools, version, logger, dataDir }: HostOptions, host: RunningHost): ToolDoor | undefined {
  const settings = new SettingsFile(join(dataDir, 'settings.json'), logger)
  return tools?.({
    version,
    logger,
    readSettings: () => settings.read().settings,
    openSession: (identity) => host.openSession(identity),
    showHarness: (id, harness) => host.showHarness(id, harness),
  })
}

/** Off unless the settings name a port. One that can't be had costs nothing else. */
async function listenHttp({ dataDir, logger }: HostOptions, tools: ToolDoor | undefined): Promise<void> {
  const { settings } = new SettingsFile(join(dataDir, 'settings.json'), logger).read()
  const port = settings.toolServerPort
  if (tools === undefined || port === undefined) return
  try {
    await tools.listenHttp({ port, token: keepHttpToken(dataDir) })
  } catch (error) {
    logger.error(`The tool server can't listen on port ${port} of 127.0.0.1`, { error })
  }
}

async function openSocket(
  options: HostOptions,
  host: Host,
  tools: ToolDoor | undefined,
): Promise<SocketDoor | undefined> {
  if (options.socket === false) return undefined
  try {
    return await serveSocket({ ...options, host, tools, platform: process.platform })
  } catch (error) {
    options.logger.warn('No other process can act through this host: it has no place for its socket', { error })
    return undefined
  }
}

async function build(options: HostOptions, undo: (() => void | Promise<void>)[]): Promise<RunningHost> {
  const { logger, workers, env, dataDir } = options
  keepPrivate(options)
  const warnings: string[] = []
  const ids = createRunIds()
  // First of all: its workers come up while the database is opened.
  const settings = new SettingsFile(join(dataDir, 'settings.json'), logger)
  const { maxConcurrentAgentsOverall } = settings.read().settings
  const overall = maxConcurrentAgentsOverall === undefined ? {} : { maxConcurrentAgentsOverall }
  const engine = createEngine({ workers, logger, ids, ...overall })
  undo.push(() => engine.dispose())
  const store = await openSoundStore({
    file: join(dataDir, 'weft.db'),
    writerWorker: workers.writer,
    logger,
    onMended: (message) => warnings.push(message),
  })
  undo.push(() => store.close())
  const recovered = await store.recoverInterrupted(Date.now())
  if (recovered.interrupted.length > 0)
    logger.info(`Runs that an earlier host left behind are interrupted now: ${recovered.interrupted.join(', ')}`)
  // Their reaper ends what they ran, unless it was killed with them.
  const orphans = await endOrphans(recovered.interrupted)
  if (orphans > 0) logger.warn(`${orphans} agents of a dead host were still at work and have been ended`)
  for (const { runId, message } of recovered.damaged) {
    logger.error(`Run ${runId} is damaged: ${message}`)
    warnings.push(`Run ${runId} is damaged: ${message}`)
  }
  const reaper = createReaper({ file: workers.reaper, onError: (message) => logger.warn(message) })
  undo.push(() => reaper.dispose())
  const git = createGit(env)
  const worktrees = new Worktrees({ folder: join(dataDir, 'worktrees'), git })
  // Whoever made those that are there has ended: the data folder is ours.
  for (const { path, reason } of await worktrees.reconcile())
    logger.warn(`A worktree of an earlier run is kept: ${path}: ${reason}`)
  const generator = createAnswerGenerator({ worker: workers.answers })
  undo.push(() => generator.dispose())
  const folders = {
    configDir: options.configDir,
    home: env['HOME'] ?? env['USERPROFILE'] ?? homedir(),
    bundledWorkflows: options.bundledWorkflows,
  }
  const parts = {
    options,
    warnings,
    logger,
    engine,
    store,
    ids,
    live: new LiveRuns(logger),
    settings,
    git,
    detector: new AgentDetector({ env: { ...env, WEFT_DEPTH: '1' }, home: folders.home, reaper }),
    branches: new BranchKeeper({ folder: join(dataDir, 'branches'), git, worktrees }),
    // A bridge that an agent starts knows by it that it is inside of a run.
    backends: new BackendRegistry({
      env: { ...env, WEFT_DEPTH: '1' },
      reaper,
      generator,
      worktrees,
      home: folders.home,
      configDir: options.configDir,
    }),
    drafts: new Drafts(join(dataDir, 'drafts')),
    connections: new Connections({
      places: { home: options.env['HOME'] || homedir(), env: options.env, platform: process.platform },
      bridge: options.bridge,
    }),
    catalog: new WorkflowCatalog(folders, (source, known) => engine.diagnose(source, known), logger),
  }
  return new RunningHost(parts, () => unwind(undo, options))
}

function keepPrivate({ dataDir, logger }: HostOptions): void {
  const { closed, problem } = closeFolder(dataDir)
  if (closed) logger.info(`${dataDir} was open to other users of this machine; now it is yours alone`)
  if (problem !== undefined) logger.warn(problem)
  const database = join(dataDir, 'weft.db')
  makePrivateFile(database)
  // SQLite makes new ones with the mode of their database; those of a host that was killed may be there still.
  for (const log of [`${database}-wal`, `${database}-shm`]) closeFile(log)
}

/** Ends what was begun, last first; what fails to end is logged and keeps nothing else open. */
async function unwind(undo: (() => void | Promise<void>)[], { logger }: HostOptions): Promise<void> {
  for (let end = undo.pop(); end !== undefined; end = undo.pop()) {
    try {
      // One after the other: each rests on those before it.
      // oxlint-disable-next-line no-await-in-loop
      await end()
    } catch (error) {
      logger.error('Something of the host could not be ended', { error })
    }
  }
}
