import { describe, expect, it } from 'vitest'
import type { AnalyzeOptions } from '../../../../src/engine/script/analyze.ts'
import { covered, findings, fixed, META } from '../support/findings.ts'

interface Found {
  code: string
  severity: string
  text: string
}

function lint(body: string, options?: AnalyzeOptions): Found[] {
  const text = META + body
  return findings(text, 'a.js', options).map((d) => ({
    code: d.code.replace('lint/', ''),
    severity: d.severity,
    text: covered(text, d),
  }))
}

/** `severity code text` of each finding. */
const brief = (body: string, options?: AnalyzeOptions): string[] =>
  lint(body, options).map(({ code, severity, text }) => `${severity} ${code} ${text}`)

describe('agent options', () => {
  it('that are unknown are marked with the nearest known one', () => {
    const body = "await agent('x', { lable: 'y' })"
    expect(brief(body)).toEqual(['error unknown-option lable'])
    const [finding] = findings(META + body)
    expect(finding?.hint).toBe('did you mean `label`?')
    expect(fixed(META + body, finding)).toBe(`${META}await agent('x', { label: 'y' })`)
  })

  it('are looked at through a constant', () => {
    expect(brief("const o = { modle: 'm' }\nawait agent('x', o)")).toEqual(['error unknown-option modle'])
  })

  it('of the wrong kind are marked', () => {
    const body = `await agent('x', { effort: 'hi', isolation: true, allowedTools: 'Bash', schema: 'S', model: 3, label: '', phase: '' })`
    expect(brief(body)).toEqual([
      "error option-value 'hi'",
      'error option-value true',
      "error option-value 'Bash'",
      "error option-value 'S'",
      'error option-value 3',
      "error option-value ''",
    ])
  })

  it('that are fine, computed or unknown at this time are left alone', () => {
    const body = `const extra = args
await agent(\`\${args}\`, { label: 'l', phase: 'p', schema: { type: 'string' }, provider: 'x', model: extra, effort: 'xhigh', isolation: 'worktree', agentType: 'a', allowedTools: ['Read'], ...extra, [extra]: 1 })
await agent(args, extra)
await agent(args.prompt, undefined)`
    expect(brief(body)).toEqual([])
  })

  it.each([
    ['await agent()', 'error agent-prompt agent()'],
    ["await agent('')", "error agent-prompt ''"],
    ['await agent(`  `)', 'error agent-prompt `  `'],
    ['await agent({ prompt: 1 })', 'error agent-prompt { prompt: 1 }'],
    ["await agent('x', 'label')", "error agent-options 'label'"],
  ])('and prompts are checked: %s', (body, expected) => {
    expect(brief(body)).toEqual([expected])
  })

  it('are errors only where the run is sure to get', () => {
    expect(brief("if (args) await agent('x', { foo: 1 })")).toEqual(['warning unknown-option foo'])
    expect(brief("const f = () => agent('x', { foo: 1 })\nawait f()")).toEqual(['warning unknown-option foo'])
    expect(brief("try { await agent('x', { foo: 1 }) } catch {}")).toEqual(['warning unknown-option foo'])
    expect(brief("if (args) return\nawait agent('x', { foo: 1 })")).toEqual(['warning unknown-option foo'])
    expect(brief("const a = [await agent('x', { foo: 1 })]")).toEqual(['error unknown-option foo'])
  })

  it('of an own function named agent are its own', () => {
    expect(brief("const agent = (a, b) => b\nagent('', { foo: 1 })")).toEqual([])
  })
})

describe('parallel and pipeline', () => {
  it('get functions, not promises', () => {
    const body = "await parallel([agent('a'), () => agent('b')])"
    expect(brief(body)).toEqual(["error promise-given agent('a')"])
    expect(fixed(META + body, findings(META + body)[0])).toBe(
      `${META}await parallel([() => agent('a'), () => agent('b')])`,
    )
  })

  it.each([
    [
      "await parallel(['x', 1, {}, [], null])",
      [
        "error not-a-function 'x'",
        'error not-a-function 1',
        'error not-a-function {}',
        'error not-a-function []',
        'error not-a-function null',
      ],
    ],
    ['await parallel([,])', ['error not-a-function [,]']],
    ['await parallel(x => x)', ['error parallel-argument x => x']],
    ['await parallel()', ['error parallel-argument parallel()']],
    ['await parallel([])', []],
    ['await parallel(args.map((a) => agent(a)))', ['warning promise-given (a) => agent(a)']],
    [
      'await parallel(args.map(async (a) => { await agent(a) }))',
      ['warning promise-given async (a) => { await agent(a) }'],
    ],
    ['await parallel(args.map((a) => () => agent(a)))', []],
    ["await parallel([await agent('x')])", ["warning promise-given await agent('x')"]],
    ["await pipeline([1], agent('x'))", ["error promise-given agent('x')"]],
    ["await pipeline(args, (a) => agent(a), 'x', ...args)", ["error not-a-function 'x'"]],
    ['await pipeline({}, (a) => a)', ['error pipeline-argument {}']],
    ['await pipeline()', ['error pipeline-argument pipeline()']],
    ['await pipeline(args)', []],
  ])('are checked: %s', (body, expected) => {
    expect(brief(body)).toEqual(expected)
  })
})

describe('what a resume could not replay', () => {
  it('is marked: clocks, randomness, timers', () => {
    const body = `Date.now(); new Date(); Date(); Math.random(); setTimeout(f, 1); performance.now(); crypto.randomUUID()
function f() {}`
    expect(brief(body)).toEqual([
      'error clock Date.now()',
      'error clock new Date()',
      'error clock Date()',
      'error randomness Math.random()',
      'error timer setTimeout',
      'error clock performance',
      'error randomness crypto',
    ])
  })

  it('is not what only looks like it', () => {
    const body = `const Math2 = { random() {} }; Math2.random(); new Date(0); new Date(args.now); Date.UTC(2020, 1); Date.parse('2020'); args.Date.now(); Math.max(1, 2)
{ const Date = { now() {} }; Date.now() }`
    expect(brief(body)).toEqual([])
  })
})

describe('names', () => {
  it('that nothing declares are marked, with the nearest that something does', () => {
    const body = 'const reviewers = []\nawait parallel([() => undefinedName, () => reviewer])'
    expect(brief(body)).toEqual(['warning unknown-name undefinedName', 'warning unknown-name reviewer'])
    expect(findings(META + body)[1]?.hint).toBe('did you mean `reviewers`?')
  })

  it('that exist outside of scripts come with the reason', () => {
    expect(findings(`${META}const a = process.env`)[0]).toMatchObject({
      code: 'lint/unknown-name',
      message: '`process` does not exist in a script',
      hint: 'scripts reach neither files, network nor processes: have an agent do it',
    })
    expect(brief('new Uint8Array(1); structuredClone({}); queueMicrotask(() => {})')).toEqual([
      'error unknown-name Uint8Array',
      'error unknown-name structuredClone',
      'error timer queueMicrotask',
    ])
  })

  it.each([
    ['parameters, defaults and rest', 'const f = (a, { b, c: [d] = [] } = {}, ...e) => [a, b, d, e]; f()'],
    ['hoisted functions and variables', 'g(); v = 1; function g() { return v } { var v }'],
    [
      'classes, private names and static blocks',
      'class A extends Object { #p = 1; static s = A.name; static { this.t = A } m(A2 = this.#p) { return A2 } }; new A()',
    ],
    [
      'function expressions by their own name',
      'const h = function inner(n) { return n ? inner(n - 1) : arguments.length }; h(1)',
    ],
    [
      'catch parameters, loops and labels',
      'try { throw 1 } catch ({ message }) { log(message) } outer: for (const [k, v] of Object.entries(args)) { for (let i = 0; i < 1; i++) { log(k, v, i); continue outer } }',
    ],
    ['property names', 'const o = { missing: 1, other() {} }; o.nowhere; o?.missing; ({ missing: o.x } = o)'],
    [
      'typeof and what it guards',
      "if (typeof foo !== 'undefined') foo(); typeof bar === 'function' ? bar() : 0; typeof baz !== 'undefined' && baz",
    ],
    ['what the script puts on globalThis', 'globalThis.mine = 1; log(mine)'],
    [
      'built-ins',
      'new Map([[new Set(), Symbol.iterator]]); JSON.parse("1"); Reflect.ownKeys({}); new AggregateError([]); globalThis; undefined; NaN; BigInt(1); new Proxy({}, {})',
    ],
    ['hooks', "phase('x'); log('y'); console.log(args, budget.total); await workflow('z')"],
  ])('that are declared or given are left alone: %s', (_what, body) => {
    expect(brief(body)).toEqual([])
  })

  it('that are assigned without a declaration are marked', () => {
    expect(brief('count = 1; [a, { b }] = [1, {}]')).toEqual([
      'warning unknown-name count',
      'warning unknown-name a',
      'warning unknown-name b',
    ])
  })
})

describe('phases', () => {
  const withPhases = (body: string): string =>
    `export const meta = { name: 'a', description: 'd', phases: [{ title: 'Plan' }, { title: 'Review' }] }\n${body}`
  const codes = (text: string): string[] => findings(text).map((d) => `${d.line}:${d.column} ${d.code} ${d.message}`)

  it('that meta does not announce are marked and can be added to it', () => {
    const text = withPhases("phase('Plan')\nphase('review')\nawait agent('x', { phase: 'Ship' })\nphase('Review')")
    expect(codes(text)).toEqual([
      '3:7 lint/phase-not-in-meta the phase `review` is not in meta.phases',
      '4:27 lint/phase-not-in-meta the phase `Ship` is not in meta.phases',
    ])
    expect(fixed(text, findings(text)[0])).toContain("phase('Review')\nawait")
    expect(fixed(text, findings(text)[1])).toContain("{ title: 'Review' }, { title: 'Ship' }]")
  })

  it('that only meta knows are marked there, unless a title is computed', () => {
    expect(codes(withPhases("phase('Plan')"))).toEqual([
      '1:89 lint/phase-not-used no `phase()` call begins the phase `Review`',
    ])
    expect(codes(withPhases("phase('Plan'); for (const p of args) phase(p)"))).toEqual([])
    expect(codes(withPhases("const P = 'Review'; phase('Plan'); phase(P)"))).toEqual([])
  })

  it('may have any title when meta announces none', () => {
    expect(brief("phase('Anything')")).toEqual([])
  })

  it('need a title', () => {
    expect(brief("phase(); phase('')")).toEqual(['warning phase-title phase()', "warning phase-title ''"])
  })
})

describe('a hook that nobody waits for', () => {
  it('is marked where its value is dropped', () => {
    const body = "agent('x')\nparallel([])\nconst p = agent('y')\nawait agent('z')\nlog(1)\nvoid workflow('w')\nawait p"
    expect(brief(body)).toEqual(["warning unawaited-agent agent('x')", 'warning unawaited-agent parallel([])'])
    expect(fixed(META + body, findings(META + body)[0])).toContain("\nawait agent('x')\n")
  })

  it('has no fix in a function that is not async', () => {
    const [finding] = findings(`${META}const f = () => { agent('x') }\nf()`)
    expect(finding).toMatchObject({ code: 'lint/unawaited-agent' })
    expect(finding?.fix).toBeUndefined()
  })
})

describe('schemas', () => {
  const judgeSchema: AnalyzeOptions['judgeSchema'] = (schema) =>
    JSON.stringify(schema).includes('bad')
      ? { ok: false, errors: ['no good'] }
      : { ok: true, notes: JSON.stringify(schema).includes('odd') ? ['odd keyword'] : [] }

  it('that are written out are judged, through constants too', () => {
    const body =
      "const INNER = { type: 'bad' }\nconst S = { type: 'object', properties: { a: INNER } }\nawait agent('x', { schema: S })\nawait agent('y', { schema: { odd: 1 } })"
    expect(brief(body, { judgeSchema })).toEqual([
      "error schema { type: 'object', properties: { a: INNER } }",
      'info schema-note {',
    ])
  })

  it('that are computed are not', () => {
    expect(brief("await agent('x', { schema: { ...args, bad: 1 } })", { judgeSchema })).toEqual([])
  })
})

describe('workflow names', () => {
  it('are compared with those that are known', () => {
    const workflows = ['review', 'ship']
    expect(brief("await workflow('reviw')", { workflows })).toEqual(["warning unknown-workflow 'reviw'"])
    expect(
      brief("await workflow('review'); await workflow(args); await workflow({ scriptPath: 'x.js' })", { workflows }),
    ).toEqual([])
    expect(brief("await workflow('reviw')")).toEqual([])
  })

  it('may not be the own one, nor no name at all', () => {
    expect(brief("await workflow('a'); await workflow(); await workflow(3)")).toEqual([
      "warning workflow-self 'a'",
      'warning workflow-name workflow()',
      'warning workflow-name 3',
    ])
  })
})

describe('characters that can not be seen', () => {
  it.each([
    ['U+202E (right-to-left override)', 'a\u202eb'],
    ['U+200B (zero-width space)', 'a\u200bb'],
    ['U+FEFF (byte order mark)', 'a\ufeffb'],
    ['U+0007', 'a\u0007b'],
    ['U+E0041', 'a\u{E0041}b'],
  ])('are named: %s', (name, text) => {
    const [finding] = findings(`${META}log('${text}')`)
    expect(finding).toMatchObject({ code: 'lint/hidden-character', severity: 'warning', line: 2, column: 7 })
    expect(finding?.message).toContain(name)
    expect(fixed(`${META}log('${text}')`, finding)).toBe(`${META}log('ab')`)
  })

  it('are none of ordinary typography', () => {
    expect(brief("log('─ — · → “” … é 日本 👩‍👩‍👧 ✌️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 می‌خواهم')")).toEqual([])
  })
})

it('an own eval call is warned of', () => {
  expect(brief("eval('1')")).toEqual(['warning eval eval'])
})
