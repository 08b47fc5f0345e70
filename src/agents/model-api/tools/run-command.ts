// The tool `run`: a command line in the call's folder, in a process group of its own that is ended with the call.

import { StringDecoder } from 'node:string_decoder'
import type { Readable } from 'node:stream'
import { tailText, toWellFormed } from '../../../shared/index.ts'
import { endGroup } from '../../process/end-group.ts'
import { startProcess, type ProcessExit } from '../../process/start-process.ts'
import { within } from '../../process/within.ts'
import { countIn, textIn, wordsIn, type Tool, type ToolContext } from './tool.ts'

const SECONDS = 120
const MAX_SECONDS = 3_600
const OUTPUT_UNITS = 30_000
const KILL_AFTER_MS = 1_000

export const runTool: Tool = {
  name: 'run',
  description: `Runs a command line in the working folder and gives the end of what it prints and its exit code. It is ended after "seconds" (default ${SECONDS}); whatever it left running is ended with it.`,
  inputSchema: {
    type: 'object',
    properties: {
      command: { type: 'string', minLength: 1 },
      seconds: { type: 'integer', minimum: 1, maximum: MAX_SECONDS },
    },
    required: ['command'],
    additionalProperties: false,
  },
  title: (input) => wordsIn(input, 'command'),
  async run(input, context) {
    const command = textIn(input, 'command')
    const seconds = Math.min(countIn(input, 'seconds', SECONDS), MAX_SECONDS)
    return runShell(command, seconds, context)
  },
}

async function runShell(command: string, seconds: number, context: ToolContext): Promise<string> {
  const { root, env, cookie, reaper, signal } = context
  signal.throwIfAborted()
  const shell = process.platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c', command] : ['/bin/sh', '-c', command]
  const started = await startProcess({ command: shell, cwd: root, env, cookie, ...(reaper && { reaper }) })
  const { child, exited, group } = started
  let onAbort = (): void => {}
  const aborted = new Promise<undefined>((resolve) => {
    onAbort = () => resolve(undefined)
  })
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    child.stdin.end()
    const output = new Output()
    output.read(child.stdout)
    output.read(child.stderr)
    const exit = await within(Promise.race([exited, aborted]), seconds * 1000)
    await endGroup(group, { killAfterMs: KILL_AFTER_MS })
    // What it had written is still in the pipes.
    if (exit !== undefined) await within(output.ended, KILL_AFTER_MS)
    signal.throwIfAborted()
    return output.describe(exit, seconds)
  } finally {
    signal.removeEventListener('abort', onAbort)
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
    started.release()
  }
}

/** The end of what a command prints, in the order in which it came. */
class Output {
  #text = ''
  #cut = false
  readonly #ends: Promise<void>[] = []

  get ended(): Promise<unknown> {
    return Promise.all(this.#ends)
  }

  read(stream: Readable): void {
    const decoder = new StringDecoder('utf8')
    this.#ends.push(
      new Promise((resolve) => {
        stream.once('close', resolve)
      }),
    )
    stream.on('error', () => {})
    // Without an encoding set, a child's pipe gives Buffers.
    stream.on('data', (chunk: Buffer) => {
      const all = this.#text + decoder.write(chunk)
      this.#text = tailText(all, OUTPUT_UNITS)
      this.#cut ||= this.#text.length < all.length
    })
  }

  describe(exit: ProcessExit | undefined, seconds: number): string {
    const how =
      exit === undefined
        ? `ended after ${seconds} s`
        : exit.signal === null
          ? `exit code ${String(exit.code)}`
          : `ended by ${exit.signal}`
    const text = toWellFormed(this.#text)
    return `${this.#cut ? '[what came before is cut]\n' : ''}${text}${text === '' || text.endsWith('\n') ? '' : '\n'}[${how}]`
  }
}
