// What the torture run plays: every script that chance makes is one that the engine takes, and a seed makes it again.

import { expect, test } from 'vitest'
import { parseScript } from '../../src/engine/script/parse.ts'
import { makeScripts } from '../../torture/make-script.ts'
import { Chance } from '../../torture/random.ts'

const seeds = Array.from({ length: 60 }, (_, seed) => seed)

test('every script that is made can be parsed, the nested ones too, and no prompt holds what the agent can not read', () => {
  for (const seed of seeds) {
    const { main, inner } = makeScripts(new Chance(seed))
    for (const text of [main, ...Object.values(inner)]) {
      expect(parseScript(text), `seed ${seed}:\n${text}`).toMatchObject({ ok: true })
      for (const [, prompt = ''] of text.matchAll(/agent\('([^']*)'/g)) expect(prompt).toMatch(/^call=\d+ [\w=.\- ]*$/)
    }
  }
})

test('a seed makes the same scripts again, another one makes others', () => {
  const made = seeds.map((seed) => JSON.stringify(makeScripts(new Chance(seed))))
  expect(seeds.map((seed) => JSON.stringify(makeScripts(new Chance(seed))))).toEqual(made)
  expect(new Set(made).size).toBe(seeds.length)
})

test('all kinds of steps are made, and few enough calls fail for ever that no run pauses', () => {
  const all = seeds.map((seed) => makeScripts(new Chance(seed)))
  const text = all.map(({ main }) => main).join('\n')
  for (const kind of [
    'parallel([',
    'pipeline([',
    'Promise.all([',
    "workflow('",
    'schema:',
    "isolation: 'worktree'",
    'fail=once',
    'catch (error)',
  ])
    expect(text).toContain(kind)
  for (const { main, inner } of all) {
    const failing = [main, ...Object.values(inner)].join('\n').split('fail=always').length - 1
    expect(failing).toBeLessThan(5)
  }
})
