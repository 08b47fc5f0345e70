// `weft app`: the desktop window, or, where there is no Electron or no display, the same window in a browser.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CliContext } from '../context.ts'
import { CliError } from '../errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { readWorkspace } from '../options/source.ts'
import { serveHost, type ServeOptions } from './serve.ts'

const BINARIES: Partial<Record<NodeJS.Platform, string>> = {
  win32: 'electron.exe',
  darwin: 'Electron.app/Contents/MacOS/Electron',
}

export async function openApp(context: CliContext, options: Pick<ServeOptions, 'workspace'>): Promise<ExitCode> {
  const workspace = readWorkspace(options.workspace, context.cwd)
  const problem = displayProblem(process.platform, context.env, process.getuid?.() ?? -1)
  const electron = findElectron(context.app.root, process.platform, context.env)
  if (problem === undefined && electron !== undefined) return showWindow(context, electron, workspace)
  context.err.line(`no desktop window: ${problem ?? "Electron's program is not installed"}; serving it for the browser`)
  return serveHost(context, { workspace })
}

/** Electron's program; undefined when it was never downloaded. ELECTRON_OVERRIDE_DIST_PATH names the folder of another. */
export function findElectron(root: string, platform: NodeJS.Platform, env: CliContext['env']): string | undefined {
  // In a package, this program runs inside Electron already.
  if (process.versions['electron'] !== undefined) return process.execPath
  const folder = env['ELECTRON_OVERRIDE_DIST_PATH'] || join(root, 'node_modules', 'electron', 'dist')
  const file = join(folder, BINARIES[platform] ?? 'electron')
  return existsSync(file) ? file : undefined
}

/** Why no window can be shown here, in words. `uid` is the user's number, 0 for root. */
export function displayProblem(platform: NodeJS.Platform, env: CliContext['env'], uid: number): string | undefined {
  if (platform !== 'linux') return undefined
  if (!env['DISPLAY'] && !env['WAYLAND_DISPLAY'])
    return 'there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set)'
  // Whether the sandbox may be off is the user's choice alone.
  if (uid === 0 && !env['ELECTRON_DISABLE_SANDBOX']) return "Chromium's sandbox does not run as root"
  return undefined
}

async function showWindow(context: CliContext, electron: string, workspace: string): Promise<ExitCode> {
  const { app, user, env } = context
  // Terminals of editors that run on Electron set it, and no window would open.
  const { ELECTRON_RUN_AS_NODE: _, ...rest } = env
  const child = spawn(electron, [app.root, `--workspace=${workspace}`], {
    stdio: 'inherit',
    env: { ...rest, WEFT_DATA_DIR: user.dataDir },
  })
  context.signals.handle((signal) => child.kill(signal))
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw new CliError('FAILED', `${electron} could not be started: ${String(error)}`, { cause: error })
  }
  // The event's arguments are the exit code, null after a signal, and the signal.
  const [code] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  return code === 0 || code === null ? EXIT.completed : EXIT.error
}
