import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { installSignals, PressCounter, type Signal } from '../../src/cli/signals.ts'

describe('PressCounter', () => {
  it('counts a press once, however it arrives', () => {
    const counter = new PressCounter()
    const arrivals = ['direct', 'forwarded', 'forwarded', 'direct', 'direct'] as const
    expect(arrivals.map((from) => counter.arrive(from))).toEqual([true, false, true, false, true])
  })
})

class ParentedProcess extends EventEmitter {
  readonly sent: unknown[] = []
  send(message: unknown): void {
    this.sent.push(message)
  }
}

describe('installSignals', () => {
  it('tells the handler once of a Ctrl-C that the parent forwards as well', () => {
    const source = new ParentedProcess()
    const told: Signal[] = []
    installSignals(source, () => {}).handle((signal) => told.push(signal))
    source.emit('SIGINT')
    source.emit('message', { type: 'weft:signal', signal: 'SIGINT' })
    source.emit('message', { type: 'weft:signal', signal: 'SIGTERM' })
    source.emit('message', 'noise')
    source.emit('message', { type: 'weft:signal', signal: 'SIGKILL' })
    expect(told).toEqual(['SIGINT', 'SIGTERM'])
    expect(source.sent).toEqual([{ type: 'weft:counts-signals' }])
  })

  it('ends at once where nobody handles signals', () => {
    const source = new EventEmitter()
    const ended: Signal[] = []
    const signals = installSignals(source, (signal) => ended.push(signal))
    signals.handle(() => {})
    source.emit('SIGTERM')
    signals.handle(undefined)
    source.emit('SIGTERM')
    expect(ended).toEqual(['SIGTERM'])
  })
})
