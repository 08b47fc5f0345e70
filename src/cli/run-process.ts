// The whole command line, from the process's arguments to its exit code.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CliContext } from './context.ts'
import { EXIT } from './exit-codes.ts'
import { createKeyboard } from './keyboard.ts'
import { createOutput } from './output/output.ts'
import { locateApp, locateUser } from '../host/index.ts'
import { makeStyle, speaksUnicode, wantsColors } from './render/style.ts'
import { runCli } from './run-cli.ts'
import { installSignals, type Signal } from './signals.ts'

const SIGNAL_NUMBERS: Record<Signal, number> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }

/** `bundleDir` is the folder of the entry's bundle; this code may be in a chunk below. */
export async function runProcess(bundleDir: string): Promise<void> {
  const { env } = process
  const cwd = process.cwd()
  const app = locateApp(bundleDir)
  const out = createOutput(process.stdout)
  const err = createOutput(process.stderr)
  const unicode = speaksUnicode(env)
  const around = {
    cwd,
    out,
    err,
    outStyle: makeStyle({ colors: wantsColors(out.isTty, env), unicode }),
    errStyle: makeStyle({ colors: wantsColors(err.isTty, env), unicode }),
    version: readVersion(app.root),
  }
  const signals = installSignals(process, (signal) => process.exit(128 + SIGNAL_NUMBERS[signal]))
  const keyboard = createKeyboard(process.stdin, () => process.kill(process.pid, 'SIGINT'))
  const code = await runCli(process.argv.slice(2), around, ({ dataDir }): CliContext => ({
    ...around,
    env,
    app,
    user: locateUser(dataDir, env, cwd),
    signals,
    keyboard,
    now: Date.now,
    exitNow: (status) => process.exit(status),
  }))
  process.exit((await flushed(out, err)) ? code : EXIT.error)
}

function readVersion(root: string): string {
  // package.json is part of the package and has a version.
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return version
}

/** False when stdout could not take everything, for another reason than a reader that went away. */
async function flushed(out: CliContext['out'], err: CliContext['err']): Promise<boolean> {
  try {
    await out.flush()
    return true
  } catch (error) {
    err.line(`weft: the output could not be written: ${error instanceof Error ? error.message : String(error)}`)
    return false
  } finally {
    await err.flush().catch(() => {})
  }
}
