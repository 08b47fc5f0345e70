import { describe, expect, it } from 'vitest'
import { useWorkbench, type Workbench } from '../../support/cli/workbench.ts'
import { Repository } from '../../support/workflows/repository.ts'

const PATIENCE_MS = 300_000

interface Claim {
  claim: string
  source: string
  quote: string
  verdict: string
}

interface Report {
  question: string
  answer: string | null
  claims: Claim[]
  contradicted: Claim[]
  open: Claim[]
  unanswered: string[]
}

const FILES = {
  'docs/exporter.md': ['# Exporter', '', 'The exporter listens on port 4711.', 'It speaks no other protocol.'],
  'docs/über uns.md': ['Nobody knows why the exporter was written.'],
  'src/exporter.js': ['export const PORT = 4711', 'export const listen = (server) => server.listen(PORT)'],
  'src/other.js': ['export const other = 1'],
}
const question = 'Which port has the exporter?'

const research = (bench: Workbench, args: object = { question }) =>
  bench.json('run', 'research', '--args', JSON.stringify(args), '--concurrency', '4')

// The workflow's result, whose shape its unit tests hold.
const reportOf = (document: Record<string, unknown>): Report => document['result'] as Report

/** Git is asked: the source is a line that is there, and it says so. */
function expectTrue(repository: Repository, claims: readonly Claim[]): void {
  for (const { claim, source, quote } of claims) {
    const [, file = '', line] = /^(.*):(\d+)$/.exec(source) ?? []
    const text = repository.lines(file)[Number(line) - 1]?.trim()
    expect({ quote, claim }).toEqual({ quote: text, claim: `${file} says: ${text}` })
  }
}

describe('weft run research, with agents that read a real repository,', () => {
  it(
    'answers from lines that are there, cites each, and changes nothing',
    async () => {
      const bench = useWorkbench()
      bench.useAgent('honest-agent.mjs')
      const repository = new Repository(bench.workspace)
      repository.commit('first', FILES)
      const before = repository.snapshot()

      const { code, document } = await research(bench)

      const report = reportOf(document)
      // All lines with one of the question's rarer words, as git finds them.
      const lines = repository.git('grep', '-n', '-i', '-E', 'port|exporter', 'HEAD').trimEnd().split('\n')
      const sources = lines.map((line) => /^HEAD:(.*?:\d+):/.exec(line)?.[1] ?? '')
      expect(report.claims.map(({ source }) => source).sort()).toEqual(sources.sort().slice(0, 5))
      expect(report.claims.map(({ source }) => source)).toContain('docs/exporter.md:3')
      expectTrue(repository, report.claims)
      expect(report).toMatchObject({ question, contradicted: [], open: [], unanswered: [] })
      for (const { source } of report.claims) expect(report.answer).toContain(`[${source}]`)
      expect(report.answer).toContain('The exporter listens on port 4711.')
      // Plan, one researcher (this agent does not split questions), a checker a claim, the writer.
      const calls = 3 + report.claims.length
      expect(document).toMatchObject({ outcome: 'completed', degraded: false, agentsStarted: calls, warnings: [] })
      expect(code).toBe(0)
      await bench.quiet()
      expect(repository.snapshot()).toEqual(before)
    },
    PATIENCE_MS,
  )

  it(
    'keeps what a researcher made up out of the answer, and says that it stays open',
    async () => {
      const bench = useWorkbench()
      const repository = new Repository(bench.workspace)
      repository.commit('first', FILES)
      const made = (file: string, line: number, quote: string) => ({
        claim: `${file} says: ${quote}`,
        source: `${file}:${line}`,
        quote,
      })
      const claims = [
        made('docs/exporter.md', 3, 'The exporter listens on port 4711.'),
        made('docs/exporter.md', 4, 'The exporter listens on port 80.'),
        made('docs/none.md', 1, 'The exporter listens on port 81.'),
        made('docs/exporter.md', 99, 'The exporter listens on port 82.'),
      ]
      const overrule = { [`search · ${question}`]: { answer: { claims } } }
      bench.useAgent('overruled-agent.mjs', [], { WEFT_TEST_OVERRULE: JSON.stringify(overrule) })
      const { code, document } = await research(bench)
      const report = reportOf(document)
      expect(code).toBe(0)
      expect(report.claims.map(({ source }) => source)).toEqual(['docs/exporter.md:3'])
      expectTrue(repository, report.claims)
      expect(report.open.map(({ source, verdict }) => [source, verdict])).toEqual(
        claims.slice(1).map(({ source }) => [source, 'not found']),
      )
      expect(report.answer).toContain('4711')
      expect(report.answer).not.toMatch(/port 8\d/)
      await bench.quiet()
    },
    PATIENCE_MS,
  )

  it(
    'writes no answer when its researcher crashes, and ends with exit code 3',
    async () => {
      const bench = useWorkbench()
      new Repository(bench.workspace).commit('first', FILES)
      const overrule = { [`search · ${question}`]: { crash: 'out of luck' } }
      bench.useAgent('overruled-agent.mjs', [], { WEFT_TEST_OVERRULE: JSON.stringify(overrule) })
      const { code, document } = await research(bench)
      expect({ code, result: document['result'] }).toEqual({
        code: 3,
        result: { question, answer: null, claims: [], contradicted: [], open: [], unanswered: [question] },
      })
      expect(document).toMatchObject({ outcome: 'completed', degraded: true, agentsStarted: 2 })
      await bench.quiet()
    },
    PATIENCE_MS,
  )

  it(
    'asks for its question before it starts an agent',
    async () => {
      const bench = useWorkbench()
      bench.useAgent('honest-agent.mjs')
      const { code, stderr } = await bench.weft('run', 'research')
      expect(code).toBe(2)
      expect(stderr).toContain('The workflow takes args, and none were given: args lacks the property "question"')
      expect((await bench.weft('runs', '--json')).stdout).toBe('[]\n')
    },
    PATIENCE_MS,
  )
})
