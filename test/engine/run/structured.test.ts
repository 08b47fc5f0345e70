import { afterAll, describe, expect, test } from 'vitest'
import type { JsonValue } from '../../../src/shared/index.ts'
import type { StructuredRequest } from '../../../src/engine/index.ts'
import { createTestEngine, runScript } from '../../support/engine/run-script.ts'
import { USAGE } from '../../support/engine/scripted-backend.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

const OBJECT = `{ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }`
const ok = (output: JsonValue, more = {}) => ({ kind: 'ok', output, usage: USAGE, ...more }) as const

describe('structured output', () => {
  test('reaches the script as the value, and the runner judges with the engine’s own validator', async () => {
    const verdicts: unknown[] = []
    const run = await runScript(engine, `return await agent('a', { schema: ${OBJECT} })`, {
      agents: async ({ structured }) => {
        verdicts.push(await structured?.validate({ n: 'x' }, 'plain'), await structured?.validate({ n: 1 }, 'plain'))
        return ok({ n: 1 }, { rejections: 1 })
      },
    })
    expect(run.result).toEqual({ n: 1 })
    expect(verdicts).toMatchObject([
      { ok: false, errors: [expect.stringContaining('/n')] },
      { ok: true, value: { n: 1 } },
    ])
    expect(run.state.agents[0]).toMatchObject({ status: 'completed', rejections: 1, resultPreview: '{"n":1}' })
    expect(run.rows[0]).toMatchObject({ rejections: 1, result: { n: 1 } })
  })

  test.each([
    [`{ type: 'array', items: { type: 'number' } }`, [1, 2]],
    [`{ type: 'string' }`, 'text'],
    [`true`, null],
  ])('a root that is no object is wrapped for the runner and unwrapped for the script: %s', async (schema, value) => {
    let request: StructuredRequest | undefined
    const run = await runScript(engine, `return await agent('a', { schema: ${schema} })`, {
      agents: async ({ structured }) => {
        request = structured
        const verdict = await structured?.validate({ value }, 'wrapped')
        return ok(verdict?.ok === true ? verdict.value : 'refused')
      },
    })
    expect(run.result).toEqual(value)
    expect(request?.wrapped).toBe(true)
    expect(request?.objectSchema).toMatchObject({ type: 'object', required: ['value'] })
    expect(request?.maxRetries).toBe(5)
  })

  test('an answer that the engine finds wrong is thrown as STRUCTURED_OUTPUT, an ordinary error', async () => {
    const run = await runScript(
      engine,
      `try { await agent('a', { schema: ${OBJECT}, label: 'count' }) } catch (e) { return [e.code, e.fatal, e.message] }`,
      { agents: () => ok({ n: 'many' }) },
    )
    expect(run.result).toEqual([
      'STRUCTURED_OUTPUT',
      false,
      expect.stringMatching(
        /^agent 1 \(count\) gave no answer that matches the schema: the answer does not match the schema: .*\/n.*integer/,
      ),
    ])
    expect(run.state.agents[0]).toMatchObject({
      status: 'failed',
      error: { failure: 'schema', code: 'STRUCTURED_OUTPUT' },
    })
    expect(run.rows[0]).toMatchObject({ outcome: 'failed', result: '{"n":"many"}' })
  })

  test('a runner that gave up hands on the last errors, the last text and the count', async () => {
    const run = await runScript(engine, `return await parallel([() => agent('a', { schema: ${OBJECT} })])`, {
      structuredOutputRetries: 2,
      agents: ({ structured }) => ({
        kind: 'dead',
        error: `/n must be integer (after ${structured?.maxRetries} retries)`,
        failure: 'schema',
        partial: '{"n":"?"}',
        rejections: 3,
      }),
    })
    expect(run.result).toEqual([null])
    expect(run.warnings).toEqual([
      'parallel: slot 0 became null: WorkflowError: agent 1 (a) gave no answer that matches the schema: /n must be integer (after 2 retries)',
    ])
    expect(run.state.agents[0]).toMatchObject({ rejections: 3, resultPreview: '{"n":"?"}' })
    expect(run.settlement.degraded).toBe(true)
  })

  test('a schema that can not be compiled is refused before the agent starts', async () => {
    const run = await runScript(
      engine,
      `try { await agent('a', { schema: { type: 'objekt', properties: { x: { $ref: 'https://example.com/s' } } } }) } catch (e) { return [e.code, e.fatal, e.message] }`,
    )
    expect(run.result).toEqual(['SCHEMA_INVALID', true, expect.stringMatching(/^agent: the schema can't be used: /)])
    expect(run.state.agents).toEqual([])
  })

  test('unknown keywords and formats are noted once a run', async () => {
    const run = await runScript(
      engine,
      `const schema = { type: 'object', properties: { n: { type: 'integer', min: 1, format: 'uint' } } }
       await agent('a', { schema }); await agent('b', { schema })`,
      { agents: () => ok({ n: 0 }) },
    )
    expect(run.of('warning').every(({ code }) => code === 'schema/note')).toBe(true)
    expect(new Set(run.warnings).size).toBe(run.warnings.length)
    expect(run.warnings.join()).toMatch(/min[\s\S]*uint|uint[\s\S]*min/)
  })

  test('a text where no schema was asked for stays a text, and JSON becomes one', async () => {
    const run = await runScript(engine, `return await agent('a')`, { agents: () => ok({ a: 1 }) })
    expect(run.result).toBe('{"a":1}')
  })

  test('what the script gets is its own copy', async () => {
    const shared = { n: 1, list: [1] }
    const run = await runScript(
      engine,
      `const schema = ${OBJECT}
       const a = await agent('a', { schema }); a.list.push(2); a.n = 9
       return [a, await agent('b', { schema }), schema]`,
      { agents: () => ok(shared) },
    )
    expect(run.result).toMatchObject([{ n: 9, list: [1, 2] }, { n: 1, list: [1] }, { type: 'object' }])
    expect(shared).toEqual({ n: 1, list: [1] })
  })
})
