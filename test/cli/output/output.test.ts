import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createOutput } from '../../../src/cli/output/output.ts'

/** A stream that takes its time, and may fail. */
function slowStream(fail?: { code: string }): { stream: Writable; text: () => string } {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      setImmediate(() => {
        if (fail) return done(Object.assign(new Error(fail.code), fail))
        text += String(chunk)
        done()
      })
    },
  })
  return { stream, text: () => text }
}

describe('createOutput', () => {
  it('has written everything when a flush is over', async () => {
    const { stream, text } = slowStream()
    const output = createOutput(stream)
    const big = 'ü'.repeat(1_000_000)
    output.line(big)
    output.line('end\n')
    await output.flush()
    expect(text()).toBe(`${big}\nend\n`)
  })

  it('falls silent when its reader is gone', async () => {
    const output = createOutput(slowStream({ code: 'EPIPE' }).stream)
    output.line('lost')
    await output.flush()
    expect(output.closed).toBe(true)
    output.line('ignored')
    await output.flush()
  })

  it('says so when a full disk takes nothing more', async () => {
    const output = createOutput(slowStream({ code: 'ENOSPC' }).stream)
    output.line('lost')
    await expect(output.flush()).rejects.toThrow('ENOSPC')
  })

  it('has no bounds where there is no terminal', () => {
    const output = createOutput(slowStream().stream)
    expect([output.isTty, output.columns(), output.rows()]).toEqual([false, Infinity, Infinity])
  })
})
