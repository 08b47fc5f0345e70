// An Output that keeps what is written to it.

import { Writable } from 'node:stream'
import { createOutput, type Output } from '../../../src/cli/output/output.ts'

export interface CapturedOutput extends Output {
  readonly text: string
}

export function captureOutput(): CapturedOutput {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk)
      done()
    },
  })
  // The property makes it one.
  return Object.defineProperty(createOutput(stream), 'text', { get: () => text }) as CapturedOutput
}
