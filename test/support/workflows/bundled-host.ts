// A host that has the real bundled workflows, for dry runs of them as a user starts them: by name, fixtures beside the script.

import { readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect } from 'vitest'
import { createHost, type Host } from '../../../src/host/index.ts'
import type { Diagnostic, HostCalls, JsonValue, RunEvent } from '../../../src/shared/index.ts'
import { bundleWorker } from '../engine/worker-files.ts'
import { hostOptions, WORKERS } from '../host/host-options.ts'
import { createLogKeeper } from '../host/quiet-logger.ts'

const FOLDER = fileURLToPath(new URL('../../../workflows/', import.meta.url))

/** The text of a file of the bundled workflows. */
export function readBundled(fileName: string): string {
  return readFileSync(join(FOLDER, fileName), 'utf8')
}

type DryRun = HostCalls['run.dryRun']

export interface DryRunWish extends Partial<Pick<DryRun['params'], 'args' | 'budgetTokens' | 'maxConcurrentAgents'>> {
  seed?: number
  failRate?: number
  failCalls?: string[]
  /** What stands in for the fixtures beside the script. */
  fixtures?: object
  /** Its text, without the files beside it. */
  alone?: boolean
}

export interface BundledHost {
  dryRun(workflow: string, wish?: DryRunWish): Promise<DryRun['result']>
  diagnose(workflow: string): Promise<Diagnostic[]>
}

/** One host for a file's tests; it and its folders go with them. */
export function useBundledHost(): BundledHost {
  let root = ''
  let host: Host | undefined
  let files = 0
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'weft-bundled-')))
    const at = (name: string): string => join(root, name)
    const folders = { root, ...toFolders(at) }
    await Promise.all(Object.values(folders).map((folder) => mkdir(folder, { recursive: true })))
    await cp(FOLDER, folders.bundledWorkflows, { recursive: true })
    const [sandbox, checker] = await Promise.all([
      bundleWorker('engine/sandbox/worker.ts'),
      bundleWorker('engine/check/worker.ts'),
    ])
    const workers = { ...WORKERS, sandbox, checker }
    host = await createHost({ ...hostOptions(folders, createLogKeeper().logger), workers, socket: false })
  })
  afterAll(async () => {
    await host?.dispose('the tests have ended')
    await rm(root, { recursive: true, force: true })
  })

  const open = () => (host ?? expect.unreachable('the host is there once a test runs')).openSession(identity(root))
  return {
    async dryRun(name, { seed, failRate, failCalls, fixtures, alone = false, ...rest } = {}) {
      const fixturesPath = fixtures && join(root, `fixtures-${++files}.json`)
      if (fixturesPath !== undefined) await writeFile(fixturesPath, JSON.stringify(fixtures))
      const session = open()
      try {
        return await session.call('run.dryRun', {
          workspace: identity(root).workspace,
          source: alone
            ? { kind: 'text', text: readBundled(`${name}.js`), fileName: `${name}.js` }
            : { kind: 'name', name },
          maxConcurrentAgents: 4,
          ...rest,
          simulation: {
            ...(seed !== undefined && { seed }),
            ...(failRate !== undefined && { failRate }),
            ...(failCalls && { failCalls }),
            ...(fixturesPath !== undefined && { fixturesPath }),
          },
        })
      } finally {
        session.close()
      }
    },
    async diagnose(workflow) {
      const session = open()
      const fileName = `${workflow}.js`
      const { diagnostics } = await session.call('script.diagnose', { text: readBundled(fileName), fileName })
      session.close()
      return diagnostics
    },
  }
}

function toFolders(at: (name: string) => string) {
  return {
    dataDir: at('data'),
    configDir: at('config'),
    workspace: at('workspace'),
    bundledWorkflows: at('bundled'),
    home: at('home'),
  }
}

function identity(root: string): { kind: 'test'; workspace: string } {
  return { kind: 'test', workspace: join(root, 'workspace') }
}

/** The events of a run without what is another one each time: its id, and the moment at which it began. */
export function withoutIdentity(events: readonly RunEvent[]): JsonValue {
  const start = events[0]?.at ?? 0
  const text = JSON.stringify(events.map((event) => ({ ...event, at: event.at - start })))
  const runId = events[0]?.type === 'run-started' ? events[0].runId : ''
  // What JSON.parse makes is JSON data.
  return JSON.parse(text.replaceAll(runId, 'RUN')) as JsonValue
}
