// A host with its tool server for the tests of one file, and the ways a harness comes to it.

import { readFileSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { createHost, readOwner, type Host, type HostSession } from '../../../src/host/index.ts'
import { openToolDoor } from '../../../src/tools/index.ts'
import type { ToolDoor } from '../../../src/shared/index.ts'
import { bundledWorkers, ECHO_AGENT, hostOptions, makeFoldersIn, writeFileIn, type Folders } from '../host/make-host.ts'
import { createLogKeeper } from '../host/quiet-logger.ts'
import { createTempFolder, removeFolder } from '../host/temp-folder.ts'

export interface ToolHostFixture {
  host: Host
  tools: ToolDoor
  /** The user's. */
  session: HostSession
  folders: Folders
  /** Writes settings.json; the host reads it afresh each time. */
  writeSettings(settings: object): Promise<void>
  /** A connection with its first line sent. */
  dial(client?: object, firstLine?: object): Socket
}

export async function makeToolFolders(): Promise<Folders> {
  return makeFoldersIn(await createTempFolder())
}

/** On a machine that is busy with other tests, workers are slow to come. */
const START_MS = 60_000

const BACKENDS = { echo: { kind: 'command', protocol: 'jsonl', command: [process.execPath, ECHO_AGENT] } }

export async function writeToolSettings({ dataDir }: Folders, settings: object): Promise<void> {
  await writeFileIn(
    dataDir,
    'settings.json',
    JSON.stringify({ backends: BACKENDS, defaultBackend: 'echo', ...settings }),
  )
}

/** One host for the tests of a file; its default back end answers each prompt with `<prompt>!`. */
export function shareToolHost(prepare?: (folders: Folders) => Promise<void>): () => ToolHostFixture {
  let fixture: ToolHostFixture | undefined
  beforeAll(async () => {
    const folders = await makeToolFolders()
    await writeToolSettings(folders, {})
    await prepare?.(folders)
    const { logger } = createLogKeeper()
    let tools: ToolDoor | undefined
    const host = await createHost({
      ...hostOptions(folders, logger),
      workers: await bundledWorkers(),
      tools: (parts) => (tools = openToolDoor(parts)),
    })
    if (tools === undefined) throw new Error('a host opens its tool server')
    fixture = {
      host,
      tools,
      session: host.openSession({ kind: 'test', workspace: folders.workspace }),
      folders,
      writeSettings: (settings) => writeToolSettings(folders, settings),
      dial: (client, firstLine) => dialTools(folders, client, firstLine),
    }
  }, START_MS)
  afterAll(async () => {
    await fixture?.host.dispose('the tests have ended')
    if (fixture !== undefined) await removeFolder(fixture.folders.root)
  })
  return () => fixture ?? expect.unreachable('the host is there once a test runs')
}

export function dialTools({ dataDir, workspace }: Folders, client: object = {}, firstLine: object = {}): Socket {
  const socket = createConnection(readOwner(dataDir)?.socket ?? '')
  const token = readFileSync(join(dataDir, 'token'), 'utf8')
  socket.write(`${JSON.stringify({ token, door: 'mcp', client: { workspace, ...client }, ...firstLine })}\n`)
  return socket
}
