// Loaded into a host (`node --require`): SIGUSR2 moves its wall clock, there and back, as a laptop's or a server's may do.

'use strict'

const JUMPS_MS = [36 * 3600_000, -72 * 3600_000, 36 * 3600_000]
const { now } = Date
let shift = 0
let jumps = 0

Date.now = () => now.call(Date) + shift
globalThis.Date = new Proxy(Date, {
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [target.now()] : given, made),
})

process.on('SIGUSR2', () => {
  shift += JUMPS_MS[jumps++ % JUMPS_MS.length]
})
