// A locked-down worker that runs prepared code with hooks that only note what they were given.

import 'ses'
import { parentPort } from 'node:worker_threads'

declare const lockdown: (options: object) => void
declare const Compartment: new (options: object) => {
  globalThis: object
  evaluate(code: string): () => Promise<unknown>
}

lockdown({
  errorTaming: 'unsafe',
  consoleTaming: 'unsafe',
  overrideTaming: 'severe',
  evalTaming: 'safe-eval',
  reporting: 'none',
})

parentPort?.on('message', ({ code, args }: { code: string; args: unknown }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
  void run(code, args).then((answer) => parentPort?.postMessage(answer))
})

async function run(code: string, args: unknown): Promise<object> {
  const prompts: unknown[] = []
  const globals = {
    args,
    agent: (prompt: unknown) => {
      prompts.push(prompt)
      return Promise.resolve(prompt)
    },
    parallel: (thunks: (() => unknown)[]) => Promise.all(thunks.map((thunk) => thunk())),
  }
  try {
    const compartment = new Compartment({ globals, __options__: true })
    const value = await compartment.evaluate(code)()
    return { ok: true, value, prompts }
  } catch (error) {
    return error instanceof Error
      ? { ok: false, name: error.name, message: error.message, stack: error.stack, prompts }
      : { ok: false, name: 'thrown', message: String(error), stack: '', prompts }
  }
}
