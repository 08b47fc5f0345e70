// Commands of the command line run in the test's own process, against a real host: many of them in the time that one process
// would take to start.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCli } from '../../../src/cli/run-cli.ts'
import { bundledWorkers, type Folders } from '../host/make-host.ts'
import { hostOptions } from '../host/host-options.ts'
import { createLogKeeper } from '../host/quiet-logger.ts'
import { captureOutput } from './captured-output.ts'
import { plainStyle } from '../../cli/render/sample-runs.ts'

export interface Said {
  code: number
  out: string
  err: string
}

/** Runs `weft <argv>` in the workspace of these folders, where nobody types. */
export async function weft(folders: Folders, ...argv: string[]): Promise<Said> {
  const out = captureOutput()
  const err = captureOutput()
  const { env, dataDir, configDir, bundledWorkflows } = hostOptions(folders, createLogKeeper().logger)
  const around = { cwd: folders.workspace, out, err, outStyle: plainStyle, errStyle: plainStyle, version: '0.0.0-test' }
  const workers = await bundledWorkers()
  const code = await runCli(argv, around, (settings) => ({
    ...around,
    env,
    // Workers are files here, as in the product.
    app: {
      root: folders.root,
      workers: workers as Record<keyof typeof workers, string>,
      bundledWorkflows,
      renderer: '',
    },
    user: { dataDir: settings.dataDir ?? dataDir, configDir },
    signals: { handle: () => undefined },
    keyboard: undefined,
    now: Date.now,
    exitNow: (status) => {
      throw new Error(`the command line ended at once with ${status}`)
    },
  }))
  return { code, out: out.text, err: err.text }
}

/** A workflow in the workspace, by that name. */
export function writeScript({ workspace }: Folders, name: string, body: string): void {
  const meta = `export const meta = { name: '${name}', description: 'A test.' }`
  writeFileSync(join(workspace, `${name}.js`), `${meta}\n${body}\n`)
}
