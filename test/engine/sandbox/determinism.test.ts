import { afterAll, describe, expect, test } from 'vitest'
import { createTestEngine, runScript } from '../../support/engine/run-script.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

describe('clock and chance', () => {
  test('are refused by whatever road they are reached, with what to do instead', async () => {
    const clock = [
      `Date.now()`,
      `new Date()`,
      `Date()`,
      `globalThis.Date.now()`,
      `new globalThis.Date()`,
      `(0, Date.now)()`,
      `Reflect.construct(Date, [])`,
      `Reflect.apply(Date.now, Date, [])`,
      `new Date(0).constructor.now()`,
      `Date.prototype.constructor()`,
      `new (Object.getPrototypeOf(new Date(0)).constructor)()`,
      `new (class extends Date {})()`,
      `Date.bind(null)()`,
    ]
    const chance = [
      `Math.random()`,
      `globalThis.Math.random()`,
      `(({ random }) => random())(Math)`,
      `Math['ran' + 'dom']()`,
    ]
    const run = await runScript(
      engine,
      `const out = []
       for (const f of [${[...clock, ...chance].map((code) => `() => ${code}`).join(', ')}]) {
         try { f(); out.push('worked') } catch (e) { out.push([e.name, e.code, e.fatal, e instanceof Error, e.message.slice(-60)]) }
       }
       return out`,
    )
    const teach = (end: string) => ['WorkflowError', 'DETERMINISM', true, true, expect.stringContaining(end)]
    expect(run.result).toEqual([
      ...clock.map(() => teach('Pass a timestamp in `args` and use `new Date(args.now)`.')),
      ...chance.map(() => teach('pass random numbers in `args`.')),
    ])
  })

  test('are fatal: a parallel does not turn them into a null', async () => {
    const run = await runScript(engine, `return await parallel([() => Date.now()])`)
    expect(run.settlement.error).toMatchObject({ code: 'DETERMINISM', line: 2, column: 35 })
  })

  test('are nowhere else either', async () => {
    const run = await runScript(
      engine,
      `return ['performance', 'crypto', 'Intl', 'Temporal', 'setTimeout', 'queueMicrotask', 'WeakRef', 'FinalizationRegistry', 'SharedArrayBuffer', 'Atomics', 'ArrayBuffer', 'Uint8Array', 'DataView', 'WebAssembly', 'TextEncoder', 'Compartment', 'lockdown', 'harden', 'structuredClone']
        .filter((name) => name in globalThis || globalThis[name] !== undefined)`,
    )
    expect(run.result).toEqual([])
  })

  test('the rest of Math works', async () => {
    const run = await runScript(engine, `return [Math.max(1, 2), Math.PI > 3, Math.floor(1.5), String(Math)]`)
    expect(run.result).toEqual([2, true, 1, '[object Math]'])
  })
})

describe('dates', () => {
  // The process keeps its zone once a worker runs, so the zone is that of the whole test process.
  test('are UTC in every getter, setter, parser and format', async () => {
    const run = await runScript(
      engine,
      `const d = new Date(2020, 0, 31, 13, 4, 5, 6)
       const later = new Date(d); later.setHours(0, 0, 0, 0); later.setMonth(1)
       return {
         iso: d.toISOString(), offset: d.getTimezoneOffset(),
         parts: [d.getFullYear(), d.getMonth(), d.getDate(), d.getDay(), d.getHours(), d.getMinutes(), d.getSeconds(), d.getMilliseconds(), d.getYear()],
         later: later.toISOString(),
         texts: [String(d), d.toDateString(), d.toTimeString(), d.toLocaleString(), d.toLocaleDateString(), d.toLocaleTimeString(), d.toLocaleDateString('de-DE', { dateStyle: 'long', timeZone: 'Asia/Tokyo' }), d.toLocaleString('en', { hour: 'numeric' })],
         parsed: ['2020-01-01', '2020-01-01T10:00', '2020-01-01T10:00Z', '2020-01-01T10:00+02:00', '2020-01-01 10:00', 'Jan 1, 2020 10:00', 'Wed Jan 01 2020 10:00:00 GMT+0200 (CEST)', '1/2/2020', '2020-06-01T10:00:00.5', 'Jan 1 2020 10:00 PST', 'nonsense']
           .map((text) => { const t = Date.parse(text); return Number.isNaN(t) ? null : new Date(t).toISOString() }),
         same: new Date('2020-01-01T10:00').getTime() === Date.parse('2020-01-01T10:00'),
         utc: Date.UTC(2020, 0), copy: new Date(d).getTime() === d.getTime(), number: new Date(5).getTime(),
         invalid: [String(new Date(NaN)), Number.isNaN(new Date(undefined).getTime()), new Date('x').toLocaleString()],
         object: new Date({ valueOf: () => 7 }).getTime(), boxed: new Date(new String('2020-01-01T10:00')).toISOString(),
         json: JSON.stringify({ d }), template: \`\${new Date(0)}\`, instance: d instanceof Date, sub: new (class extends Date {})(5).getTime(),
       }`,
    )
    expect(run.settlement.error).toBeUndefined()
    expect(run.result).toEqual({
      iso: '2020-01-31T13:04:05.006Z',
      offset: 0,
      parts: [2020, 0, 31, 5, 13, 4, 5, 6, 120],
      later: '2020-03-02T00:00:00.000Z',
      texts: [
        'Fri Jan 31 2020 13:04:05 GMT+0000 (Coordinated Universal Time)',
        'Fri Jan 31 2020',
        '13:04:05 GMT+0000 (Coordinated Universal Time)',
        '1/31/2020, 1:04:05 PM',
        '1/31/2020',
        '1:04:05 PM',
        'January 31, 2020',
        '1 PM',
      ],
      parsed: [
        '2020-01-01T00:00:00.000Z',
        '2020-01-01T10:00:00.000Z',
        '2020-01-01T10:00:00.000Z',
        '2020-01-01T08:00:00.000Z',
        '2020-01-01T10:00:00.000Z',
        '2020-01-01T10:00:00.000Z',
        '2020-01-01T08:00:00.000Z',
        '2020-01-02T00:00:00.000Z',
        '2020-06-01T10:00:00.500Z',
        '2020-01-01T18:00:00.000Z',
        null,
      ],
      same: true,
      utc: 1577836800000,
      copy: true,
      number: 5,
      invalid: ['Invalid Date', true, 'Invalid Date'],
      object: 7,
      boxed: '2020-01-01T10:00:00.000Z',
      json: '{"d":"2020-01-31T13:04:05.006Z"}',
      template: 'Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)',
      instance: true,
      sub: 5,
    })
  })
})

describe('locale methods', () => {
  test('speak en-US whatever they are asked for', async () => {
    const run = await runScript(
      engine,
      `return [(1234567.891).toLocaleString(), (1234.5).toLocaleString('de-DE'), (0.256).toLocaleString('fr', { style: 'percent' }), (12345678901234567890n).toLocaleString(),
        ['b', 'a', 'C', 'ä'].sort((x, y) => x.localeCompare(y)), 'a'.localeCompare('A', 'sv', { sensitivity: 'base' }), 'I'.toLocaleLowerCase('tr'), [1234.5, new Date(0)].toLocaleString()]`,
    )
    expect(run.result).toEqual([
      '1,234,567.891',
      '1,234.5',
      '26%',
      '12,345,678,901,234,567,890',
      ['a', 'ä', 'b', 'C'],
      0,
      'i',
      '1,234.5,1/1/1970, 12:00:00 AM',
    ])
  })
})
