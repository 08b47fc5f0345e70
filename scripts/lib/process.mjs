// Starting other programs: to the end with a time limit, or as the foreground program that this one stands in for.

import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './project.mjs'

const onWindows = process.platform === 'win32'

/** @typedef {{ code: number, timedOut: boolean, output: string }} Ended `output` is empty unless it was captured. */

/**
 * Runs a program to its end. It gets a process group of its own (not on Windows), so that a time limit or a Ctrl-C ends
 * everything it started.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, limitMs?: number, capture?: boolean }} [options]
 * @returns {Promise<Ended>} code 127 when the program is not there
 */
export function runToEnd(command, args, options = {}) {
  const { env = process.env, cwd = root, limitMs, capture = false } = options
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env,
      detached: !onWindows,
      stdio: ['ignore', capture ? 'pipe' : 'inherit', capture ? 'pipe' : 'inherit'],
    })
    let output = ''
    let timedOut = false
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text))
    }
    let interrupted = false
    const stop = () => killGroup(child.pid, 'SIGTERM')
    const interrupt = () => {
      interrupted = true
      stop()
    }
    const timer =
      limitMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true
            stop()
            setTimeout(() => killGroup(child.pid, 'SIGKILL'), 5000).unref()
          }, limitMs)
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
    const settle = (/** @type {number} */ code) => {
      clearTimeout(timer)
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
      // What the program left behind in its group would hold our own output open.
      if (timedOut || interrupted) killGroup(child.pid, 'SIGKILL')
      if (interrupted) process.exit(130)
      resolve({ code, timedOut, output })
    }
    child.once('error', (error) => {
      output += error.message
      settle('code' in error && error.code === 'ENOENT' ? 127 : 126)
    })
    child.once('close', (code, signal) => settle(exitCode(code, signal)))
  })
}

/**
 * Stands in for a program: hands on the signals meant for it and answers its exit code.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
export function standInFor(child) {
  // A terminal sends Ctrl-C to the whole foreground group: the child has it already, and two mean "at once".
  const onInterrupt = () => {
    if (!process.stdin.isTTY) child.kill('SIGINT')
  }
  const onTerminate = () => void child.kill('SIGTERM')
  process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate).on('SIGHUP', onTerminate)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate).off('SIGHUP', onTerminate)
      resolve(exitCode(code, signal))
    })
  })
}

/**
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
function exitCode(code, signal) {
  if (code !== null) return code
  return 128 + (signal === null ? 0 : constants.signals[signal])
}

/**
 * @param {number | undefined} pid
 * @param {NodeJS.Signals} signal
 */
function killGroup(pid, signal) {
  if (pid === undefined) return
  try {
    if (onWindows) spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' })
    else process.kill(-pid, signal)
  } catch {
    // Already gone.
  }
}
