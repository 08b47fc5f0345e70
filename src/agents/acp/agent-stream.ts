// The agent's stdin and stdout as the ACP SDK's stream of messages. What is no message is log text, never an error.

import type { AnyMessage, Stream } from '@agentclientprotocol/sdk/unstable'
import { isJsonObject } from '../../shared/index.ts'
import { MAX_LINE_BYTES, readLines } from '../process/read-lines.ts'
import type { StartedProcess } from '../process/start-process.ts'
import { parseWellFormed } from '../well-formed.ts'

export function toAgentStream({ child }: StartedProcess, onRaw: (text: string) => void): Stream {
  child.stdout.on('error', () => {})
  return {
    readable: new ReadableStream<AnyMessage>({
      async start(controller) {
        try {
          for await (const line of readLines(child.stdout, MAX_LINE_BYTES)) {
            if ('overflow' in line) break
            const message = readMessage(line.text)
            if (message === undefined) onRaw(line.text)
            else controller.enqueue(message)
          }
        } catch {
          // A pipe that breaks ends like one that closes.
        }
        child.stdout.resume()
        closeQuietly(controller)
      },
    }),
    writable: new WritableStream<AnyMessage>({
      write(message) {
        if (child.stdin.writable) child.stdin.write(`${JSON.stringify(message)}\n`)
      },
    }),
  }
}

function closeQuietly(controller: ReadableStreamDefaultController<AnyMessage>): void {
  try {
    controller.close()
  } catch {
    // The connection was closed from our side first.
  }
}

function readMessage(text: string): AnyMessage | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    const value = parseWellFormed(text)
    // The SDK checks the rest.
    return isJsonObject(value) && value['jsonrpc'] === '2.0' ? (value as unknown as AnyMessage) : undefined
  } catch {
    return undefined
  }
}
