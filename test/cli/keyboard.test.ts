import { EventEmitter } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { createKeyboard, ENTER, INTERRUPT, type KeySource } from '../../src/cli/keyboard.ts'

class Terminal extends EventEmitter implements KeySource {
  readonly isTTY = true
  raw = false
  flowing = false
  setRawMode(raw: boolean): void {
    this.raw = raw
  }
  resume(): void {
    this.flowing = true
  }
  pause(): void {
    this.flowing = false
  }
}

describe('a keyboard', () => {
  it('takes the first key that is an answer, in either case, and gives the terminal back', async () => {
    const terminal = new Terminal()
    const key = createKeyboard(terminal, () => undefined)?.read(['y', 'n', ENTER])
    expect([terminal.raw, terminal.flowing]).toEqual([true, true])
    terminal.emit('data', Buffer.from('xq'))
    terminal.emit('data', Buffer.from('Yn'))
    expect(await key).toBe('y')
    expect([terminal.raw, terminal.flowing, terminal.listenerCount('data')]).toEqual([false, false, 0])
  })

  it('tells of Ctrl-C where it is no answer, and goes on asking', async () => {
    const terminal = new Terminal()
    const interrupted = vi.fn<() => void>()
    const keyboard = createKeyboard(terminal, interrupted)
    const key = keyboard?.read([ENTER])
    terminal.emit('data', INTERRUPT)
    expect(interrupted).toHaveBeenCalledOnce()
    terminal.emit('data', '\n')
    expect(await key).toBe(ENTER)
    const other = keyboard?.read([INTERRUPT])
    terminal.emit('data', INTERRUPT)
    expect(await other).toBe(INTERRUPT)
    expect(interrupted).toHaveBeenCalledOnce()
  })

  it('stops asking when nobody wants to know any more', async () => {
    const terminal = new Terminal()
    const gone = new AbortController()
    const key = createKeyboard(terminal, () => undefined)?.read(['a'], gone.signal)
    gone.abort()
    expect(await key).toBeUndefined()
    expect(terminal.raw).toBe(false)
    expect(await createKeyboard(terminal, () => undefined)?.read(['a'], gone.signal)).toBeUndefined()
  })

  it('is not there where nobody types', () => {
    expect(
      createKeyboard({ on: vi.fn(), off: vi.fn(), resume: vi.fn(), pause: vi.fn() }, () => undefined),
    ).toBeUndefined()
  })
})
