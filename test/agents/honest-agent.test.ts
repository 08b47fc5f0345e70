import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCommandBackend } from '../../src/agents/command/command-backend.ts'
import type { JsonObject } from '../../src/shared/index.ts'
import { agentFile, assertDead, assertOk, makeRequest, makeStructured, NO_HOST } from './requests.ts'

const BEFORE = { 'src/cart.js': 'export function total(items) {\n  return items.length\n}\n' }
const AFTER = {
  'src/cart.js': `export function total(items) {
  // TODO: taxes
  let sum = 0
  for (let i = 0; i <= items.length; i++) sum += items[i].price
  console.log('total', sum)
  return sum
}
`,
  'src/rules.js': `// Never call eval( on what a user typed.
export const HELP = "console.log( is for debugging"
export const run = (text) => eval(text)
`,
  'README.md': 'The cart adds prices.\nEach line has eval in it.\n',
}

let repository = ''

function git(...args: string[]): string {
  return execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd: repository,
    encoding: 'utf8',
  })
}

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true })
    writeFileSync(join(repository, path), text)
  }
}

beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), 'weft-honest-'))
  git('init', '-q', '-b', 'main')
  write(BEFORE)
  git('add', '.')
  git('commit', '-qm', 'first')
  write(AFTER)
  git('add', '.')
  git('commit', '-qm', 'second')
})
afterAll(() => {
  rmSync(repository, { recursive: true, force: true })
})

const backend = createCommandBackend({
  id: 'honest',
  protocol: 'jsonl',
  command: ['node', agentFile('honest-agent.mjs')],
  inheritedEnv: process.env,
})

function run(prompt: string, schema?: JsonObject) {
  const request = makeRequest({ prompt, cwd: repository, ...(schema && { structured: makeStructured(schema) }) })
  return backend.runner.run(request, NO_HOST, new AbortController().signal, () => {})
}

async function ask(prompt: string, schema?: JsonObject): Promise<unknown> {
  return assertOk(await run(prompt, schema)).output
}

const FINDINGS: JsonObject = {
  type: 'object',
  properties: {
    findings: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          file: { type: 'string' },
          line: { type: 'integer', minimum: 1 },
          quote: { type: 'string' },
          problem: { type: 'string' },
          severity: { enum: ['high', 'medium', 'low'] },
        },
        required: ['file', 'line', 'quote', 'problem', 'severity'],
        additionalProperties: false,
      },
    },
  },
  required: ['findings'],
  additionalProperties: false,
}
const VERDICT: JsonObject = {
  type: 'object',
  properties: { real: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['real', 'reason'],
  additionalProperties: false,
}
const FILES: JsonObject = {
  type: 'object',
  properties: { files: { type: 'array', items: { type: 'string' } } },
  required: ['files'],
}

describe('the honest agent', () => {
  it('lists the files that a git command in the prompt names', async () => {
    const prompt = 'List the files that `git diff --name-only --diff-filter=d HEAD~1 HEAD` names in this repository.'
    expect(await ask(prompt, FILES)).toEqual({ files: ['README.md', 'src/cart.js', 'src/rules.js'] })
    expect(await ask(prompt)).toBe('README.md\nsrc/cart.js\nsrc/rules.js')
  })

  it('reports what a diff adds, with the lines as they are, for the angle that is asked for', async () => {
    const review = (file: string, angle: string) =>
      ask(
        `Review the change to \`${file}\` in \`git diff HEAD~1 HEAD -- ${file}\`.\nLook only for ${angle}.\nNo style remarks.`,
        FINDINGS,
      )
    expect(await review('src/cart.js', 'leftovers: debugging output, dead code, TODO marks')).toEqual({
      findings: [
        {
          file: 'src/cart.js',
          line: 2,
          quote: '  // TODO: taxes',
          problem: 'A TODO mark was left in the code.',
          severity: 'low',
        },
        {
          file: 'src/cart.js',
          line: 5,
          quote: "  console.log('total', sum)",
          problem: 'Debugging output (console.log) was left in the code.',
          severity: 'low',
        },
      ],
    })
    expect(await review('src/cart.js', 'correctness: logic errors, wrong conditions')).toMatchObject({
      findings: [{ line: 4, severity: 'high' }],
    })
    expect(await review('src/rules.js', 'security: injection, unsafe evaluation')).toMatchObject({
      findings: [{ line: 1 }, { line: 3 }],
    })
    expect(await review('README.md', 'security: injection')).toEqual({ findings: [] })
  })

  it.each([
    ['a real one', 'src/rules.js', 3, 'export const run = (text) => eval(text)', true],
    ['one in a comment', 'src/rules.js', 1, '// Never call eval( on what a user typed.', false],
    ['one in a string', 'src/rules.js', 2, 'export const HELP = "console.log( is for debugging"', false],
    ['a wrong quotation', 'src/cart.js', 3, 'let total = 0', false],
    ['a line without a defect', 'src/cart.js', 3, '  let sum = 0', false],
    ['a line that is not there', 'src/cart.js', 99, 'x', false],
    ['a file that is not there', 'src/none.js', 1, 'x', false],
  ])('checks a finding by looking for itself: %s', async (_name, file, line, quote, real) => {
    const finding = { file, line, quote, problem: 'It is wrong.' }
    const asJson = `Verify this finding and try to refute it.\n\n${JSON.stringify(finding, null, 2)}\n`
    const asProse = `Another reviewer claims a problem in \`${file}\` at line ${line}:\n\n> It is wrong.\n\nThe line is said to be:\n\n\`\`\`\n${quote}\n\`\`\`\n\nTry to refute the claim.`
    const verdict = await ask(asJson, VERDICT)
    expect(verdict).toEqual({ real, reason: expect.stringMatching(/\w/) })
    expect(await ask(asProse, VERDICT)).toEqual(verdict)
  })

  it('judges a finding in the state, and by the change, that the prompt names', async () => {
    const judge = (file: string, line: number, quote: string, commands: string) =>
      ask(
        `A reviewer claims a problem:\n\n${JSON.stringify({ file, line, quote, problem: 'It is wrong.' })}\n\nTry to refute it. ${commands}`,
        VERDICT,
      )
    const loop = '  for (let i = 0; i <= items.length; i++) sum += items[i].price'
    const change = (file: string) => `Look at \`git -c core.quotePath=false diff HEAD~1 HEAD -- ${file}\`.`
    expect(
      await judge('src/cart.js', 4, loop, `Read \`git show HEAD:./src/cart.js\`. ${change("'src/cart.js'")}`),
    ).toEqual({
      real: true,
      reason: 'The loop runs one step past the end (<= length).',
    })
    expect(await judge('src/cart.js', 4, loop, 'Read `git show HEAD~1:./src/cart.js`.')).toEqual({
      real: false,
      reason: 'src/cart.js has 3 lines, none with the number 4.',
    })
    expect(await judge('src/cart.js', 1, 'export function total(items) {', change('src/cart.js'))).toEqual({
      real: false,
      reason: 'The change does not touch line 1 of src/cart.js.',
    })
    expect(await judge('README.md', 2, 'Each line has eval in it.', change('README.md'))).toEqual({
      real: false,
      reason: 'README.md is no code: what it says there does nothing.',
    })
  })

  it('says yes and no in the words of the schema', async () => {
    const schema: JsonObject = {
      type: 'object',
      properties: { verdict: { enum: ['confirmed', 'contradicted', 'not found'] }, note: { type: 'string' } },
      required: ['verdict', 'note'],
    }
    const check = (source: string, quote: string) =>
      ask(`Check one claim against its source.\n\nClaim: it adds\nSource: ${source}\nQuoted: ${quote}\n`, schema)
    expect(await check('README.md:1', 'The cart adds prices.')).toMatchObject({ verdict: 'confirmed' })
    expect(await check('README.md:1', 'The cart multiplies.')).toMatchObject({ verdict: 'not found' })
    const claim = { claim: 'it adds', source: 'README.md:1', quote: 'The cart adds prices.' }
    expect(
      await ask(`Check one claim against its source.\n\n${JSON.stringify(claim, null, 2)}\n`, schema),
    ).toMatchObject({
      verdict: 'confirmed',
    })
  })

  it('hunts in whole files, and leaves out what is known', async () => {
    const schema: JsonObject = {
      type: 'object',
      properties: {
        bugs: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              file: { type: 'string' },
              line: { type: 'integer' },
              summary: { type: 'string' },
              trigger: { type: 'string', minLength: 1 },
            },
            required: ['file', 'line', 'summary', 'trigger'],
          },
        },
      },
      required: ['bugs'],
    }
    const places = async (prompt: string) => {
      const { bugs } = (await ask(prompt, schema)) as { bugs: { file: string; line: number }[] }
      return bugs.map(({ file, line }) => `${file}:${line}`)
    }
    const first = await places('Hunt for bugs in the whole repository. Look at boundaries: off-by-one.')
    expect(first).toEqual(['src/cart.js:4'])
    expect(
      await places(
        'Hunt for bugs in src. Logic errors.\n\nAlready known, don’t report again:\n- src/cart.js:4 The loop …',
      ),
    ).toEqual([])
  })

  it('counts, searches, reads and asks git by directive', async () => {
    expect(await ask('DO list src/**\nDO lines src/*.js')).toBe('src/cart.js\nsrc/rules.js\n10 lines in 2 files')
    expect(await ask('```tasks\n# a comment\ncount eval src/** README.md\n```')).toBe(
      '"eval" occurs 3 times, in 3 lines',
    )
    expect(await ask('DO grep ^export src/rules.js')).toBe(
      'src/rules.js:2: export const HELP = "console.log( is for debugging"\nsrc/rules.js:3: export const run = (text) => eval(text)',
    )
    expect(await ask('DO read src/cart.js:2-3')).toBe('  // TODO: taxes\n  let sum = 0')
    expect(await ask('DO git log --format=%s')).toBe('second\nfirst')
    expect(await ask("DO git log '--format=it'\\''s %s' -1")).toBe("it's second")
    expect(await ask('DO json {"files":["x"]}', FILES)).toEqual({ files: ['x'] })
    expect(await ask('How many lines does `src/cart.js` have?')).toBe('7 lines in 1 files')
  })

  it('changes nothing and stays in its folder', async () => {
    for (const prompt of ['DO git commit -am x', 'DO git diff --output=x HEAD', 'DO fail on purpose', 'DO dance']) {
      expect(assertDead(await run(prompt)).failure).toBe('other')
    }
    expect(await ask('DO read ../../etc/passwd')).toBe('')
    expect(git('status', '--porcelain')).toBe('')
  })

  it('researches a question in the files of its folder, and its claims hold', async () => {
    const claims = {
      type: 'object',
      properties: {
        claims: {
          type: 'array',
          items: {
            type: 'object',
            properties: { claim: { type: 'string' }, source: { type: 'string' }, quote: { type: 'string' } },
            required: ['claim', 'source', 'quote'],
          },
        },
      },
      required: ['claims'],
    }
    expect(
      await ask('Research this question.\n\n<question>\nWhat does the cart do with prices?\n</question>', claims),
    ).toEqual({
      claims: expect.arrayContaining([
        { claim: 'README.md says: The cart adds prices.', source: 'README.md:1', quote: 'The cart adds prices.' },
      ]),
    })
  })

  it('says so where a prompt asks for what it can not decide', async () => {
    expect(await ask('Write a poem.')).toContain('I found nothing in this prompt that I can decide')
  })
})
