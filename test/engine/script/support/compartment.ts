// Runs scripts the way the sandbox does: analysed, rewritten, evaluated in a real SES compartment in a real worker.

import { Worker } from 'node:worker_threads'
import { analyzeScript } from '../../../../src/engine/script/analyze.ts'
import type { PreparedScript } from '../../../../src/engine/engine.ts'

export type Answer =
  | { ok: true; value: unknown; prompts: unknown[] }
  | { ok: false; name: string; message: string; stack: string; prompts: unknown[] }

export class Compartments {
  readonly #worker = new Worker(new URL('./compartment-worker.ts', import.meta.url), { execArgv: [] })
  #last: Promise<unknown> = Promise.resolve()
  #fail: (error: unknown) => void = () => undefined

  constructor() {
    this.#worker.on('error', (error) => this.#fail(error))
  }

  evaluate(code: string, args?: unknown): Promise<Answer> {
    const answer = this.#last.then(
      () =>
        new Promise<Answer>((resolve, reject) => {
          this.#fail = reject
          this.#worker.once('message', resolve)
          // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
          this.#worker.postMessage({ code, args })
        }),
    )
    this.#last = answer.catch(() => undefined)
    return answer
  }

  /** Prepares a body behind a minimal meta and runs it. */
  run(body: string, fileName = 'test.js'): Promise<Answer> {
    return this.evaluate(prepare(withMeta(body), fileName).code)
  }

  async dispose(): Promise<void> {
    await this.#worker.terminate()
  }
}

export function withMeta(body: string): string {
  return `export const meta = { name: 'test', description: 'd' }\n${body}`
}

export function prepare(text: string, fileName = 'test.js'): PreparedScript {
  const { prepared, diagnostics } = analyzeScript({ text, fileName, path: null })
  if (prepared === undefined) throw new Error(`refused: ${JSON.stringify(diagnostics, null, 1)}\n${text}`)
  return prepared
}
