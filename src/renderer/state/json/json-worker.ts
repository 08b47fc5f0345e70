// Holds one large JSON value away from the page's thread.

import { JsonSource } from './json-source.ts'
import { callSource, type JsonReply, type JsonRequest } from './protocol.ts'

let source: JsonSource | undefined

self.addEventListener('message', ({ data }: MessageEvent<JsonRequest>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker speaks to its page alone
  const answer = (reply: JsonReply): void => self.postMessage(reply)
  try {
    if ('open' in data) source = new JsonSource(data.open)
    else if (source === undefined) throw new Error('nothing is open')
    const value = 'open' in data || source === undefined ? undefined : callSource(source, data.method, data.args)
    answer({ id: data.id, ok: true, value })
  } catch (error) {
    answer({ id: data.id, ok: false, message: error instanceof Error ? error.message : String(error) })
  }
})
