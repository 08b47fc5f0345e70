// What is kept of one call while it runs: usage so far, the tail of its text, the tail of stderr, log text within bounds.

import { StringDecoder } from 'node:string_decoder'
import type { Readable } from 'node:stream'
import { cutText, sumUsage, tailText, toWellFormed, type AgentProgress, type Usage } from '../../shared/index.ts'

const PARTIAL_UNITS = 65_536
const STDERR_UNITS = 4_000
/** Of one call, in log texts and in UTF-16 units: a program that prints for ever must not fill the event log. */
const RAW_TEXTS = 200
const RAW_TEXT_UNITS = 2_000

export class CallLog {
  /** Sum of the usage lines; undefined while there are none. */
  usage: Usage | undefined
  partial = ''
  stderr = ''
  #rawTexts = 0
  #closed = false
  readonly #onProgress: (progress: AgentProgress) => void

  constructor(onProgress: (progress: AgentProgress) => void) {
    this.#onProgress = onProgress
  }

  /** Nothing is shown any more: the call is decided or was cancelled, and what comes late belongs to nobody. */
  close(): void {
    this.#closed = true
  }

  progress(progress: AgentProgress): void {
    if (this.#closed) return
    if (progress.kind === 'text') this.partial = tailText(this.partial + progress.text, PARTIAL_UNITS)
    this.#onProgress(progress)
  }

  /** Usage lines are increments: what a request, a turn or a child of the agent took. */
  addUsage(usage: Usage): void {
    this.usage = this.usage ? sumUsage(this.usage, usage) : usage
    if (!this.#closed) this.#onProgress({ kind: 'usage', usage: this.usage })
  }

  /** Usage with a result or an error is the whole call's and replaces the sum. */
  setUsage(usage: Usage | undefined): void {
    if (usage) this.usage = usage
  }

  raw(text: string): void {
    if (this.#closed || text.trim() === '' || this.#rawTexts > RAW_TEXTS) return
    this.#rawTexts++
    this.#onProgress(
      this.#rawTexts > RAW_TEXTS
        ? { kind: 'raw', text: '[more output that is no message of the protocol is not kept]' }
        : { kind: 'raw', text: toWellFormed(cutText(text, RAW_TEXT_UNITS)) },
    )
  }

  /** Keeps the tail of `stream` for error messages and shows it as log text. */
  readStderr(stream: Readable): void {
    const decoder = new StringDecoder('utf8')
    stream.on('error', () => {})
    // Without an encoding set, a child's pipe gives Buffers.
    stream.on('data', (chunk: Buffer) => {
      const text = decoder.write(chunk)
      this.stderr = tailText(this.stderr + text, STDERR_UNITS)
      this.raw(text)
    })
  }
}
