// Opens a JSON text for a view: at once when it is small, in a worker when reading it would hold the window up.

/* oxlint-disable import/default, import/no-named-as-default -- Vite, not the module, makes the default export of `?worker` */
import { JsonSource, type JsonMode, type JsonRow } from './json-source.ts'
import JsonWorker from './json-worker.ts?worker'
import { callSource, type JsonMethod, type JsonReply, type JsonRequest } from './protocol.ts'

export interface JsonDocument {
  count(mode: JsonMode): Promise<number>
  rows(from: number, count: number): Promise<JsonRow[]>
  lines(from: number, count: number): Promise<string[]>
  setOpen(index: number, open: boolean): Promise<void>
  parentOf(index: number): Promise<number>
  find(query: string, mode: JsonMode): Promise<number>
  reveal(at: number): Promise<number>
  text(): Promise<string>
  close(): void
}

/** In UTF-16 units: reading so much takes a few milliseconds. */
const SMALL = 200_000

/** Rejects with Error when `json` is none. */
export async function openJson(json: string): Promise<JsonDocument> {
  if (json.length > SMALL) return openInWorker(json)
  const source = new JsonSource(json)
  return documentOf(
    async (method, args) => callSource(source, method, args),
    () => {},
  )
}

type Call = (method: JsonMethod, args: readonly unknown[]) => Promise<unknown>

function documentOf(call: Call, close: () => void): JsonDocument {
  // Each method's result is that of JsonSource's method of the same name.
  const method =
    <Result>(name: JsonMethod) =>
    (...args: readonly unknown[]): Promise<Result> =>
      call(name, args) as Promise<Result>
  return {
    count: method('count'),
    rows: method('rows'),
    lines: method('lines'),
    setOpen: method('setOpen'),
    parentOf: method('parentOf'),
    find: method('find'),
    reveal: method('reveal'),
    text: method('text'),
    close,
  }
}

async function openInWorker(json: string): Promise<JsonDocument> {
  const worker = new JsonWorker()
  const waiting = new Map<number, { done(value: unknown): void; fail(error: Error): void }>()
  let lastId = 0
  worker.addEventListener('message', ({ data }: MessageEvent<JsonReply>) => {
    const asked = waiting.get(data.id)
    waiting.delete(data.id)
    if (data.ok) asked?.done(data.value)
    else asked?.fail(new Error(data.message))
  })
  worker.addEventListener('error', () => {
    for (const asked of waiting.values()) asked.fail(new Error('the JSON reader stopped'))
    waiting.clear()
  })
  const send = (request: (id: number) => JsonRequest): Promise<unknown> => {
    const id = ++lastId
    return new Promise((done, fail) => {
      waiting.set(id, { done, fail })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
      worker.postMessage(request(id))
    })
  }
  try {
    await send((id) => ({ id, open: json }))
  } catch (error) {
    worker.terminate()
    throw error
  }
  return documentOf(
    (method, args) => send((id) => ({ id, method, args })),
    () => worker.terminate(),
  )
}
