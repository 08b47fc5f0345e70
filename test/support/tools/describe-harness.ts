// What every harness gets, whichever way it comes in and whichever client it is made of.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { script } from '../host/scripts.ts'
import { waitUntil } from '../host/wait-until.ts'
import type { Harness } from './harness.ts'

export interface HarnessWorld {
  connect(clientName: string): Promise<Harness>
  writeSettings(settings: object): Promise<void>
  /** Status of a run, whoever asks. */
  statusOf(runId: string): Promise<string>
}

const text = (body: string, name = 'test'): { script: string } => ({ script: script(name, body) })

export function describeHarness(what: string, world: () => HarnessWorld): void {
  describe(what, () => {
    let harness: Harness
    beforeAll(async () => {
      harness = await world().connect('tester')
    })
    afterAll(() => harness.close())

    test('is told how the tool is meant, and has its tools', async () => {
      expect(harness.instructions()).toBe(
        'Use the workflow tool ONLY when the user explicitly asks for a workflow or for large multi-agent orchestration: you write a JavaScript script (the tool description documents the exact format) that fans work out across many subagents with phases and structured results. For one or two delegations, prefer plain subagent calls.',
      )
      const { tools } = await harness.ask('tools/list')
      expect(tools).toMatchObject([
        { name: 'workflow', _meta: { 'anthropic/alwaysLoad': true }, outputSchema: { required: ['runId'] } },
        ...['status', 'wait', 'result', 'cancel', 'agent', 'pause', 'continue', 'list', 'validate', 'dry_run'].map(
          (name) => ({ name: `workflow_${name}`, _meta: { 'anthropic/alwaysLoad': true } }),
        ),
      ])
    })

    test('gets what a run returns, in exact words', async () => {
      const input = text(`phase('P')\nreturn { said: await agent('hi'), args }`)
      const answer = await harness.call('workflow', { ...input, args: { n: 1 } })
      expect(answer).toEqual({
        texts: [
          'workflow "test" completed (1 agent).\nReturn value:\n{\n  "said": "hi!",\n  "args": {\n    "n": 1\n  }\n}',
        ],
        structured: { runId: expect.any(String), agentsStarted: 1, result: { said: 'hi!', args: { n: 1 } } },
        isError: false,
        card: { title: 'workflow: test', rawInput: input.script },
      })
    })

    test('hears of agents that failed in a second text', async () => {
      const { texts, structured, isError } = await harness.call(
        'workflow',
        text(`return await parallel([() => agent('ok'), () => agent('FAIL', { label: 'broken' })])`),
      )
      expect(texts).toEqual([
        'workflow "test" completed (2 agents).\nReturn value:\n[\n  "ok!",\n  null\n]',
        '1 of 2 agents failed: broken: told to fail',
      ])
      expect(structured).toMatchObject({ degraded: true, calls: { completed: 1, failed: 1 } })
      expect(isError).toBe(false)
    })

    test('is given errors as errors, with their place', async () => {
      const failed = await harness.call('workflow', text(`await agent('a')\nthrow new Error('no luck')`))
      const { runId } = failed.structured ?? {}
      expect(failed).toMatchObject({
        texts: [
          expect.stringMatching(/^Error: workflow run failed: no luck \(script\.js:\d+:\d+\)$/),
          `Run id: ${String(runId)}. To go on from it, call workflow with resumeFromRunId "${String(runId)}": calls that have finished are answered from it.`,
        ],
        structured: { status: 'error', result: null, agentsStarted: 1 },
        isError: true,
      })
      const broken = await harness.call('workflow', text('await agent('))
      expect(broken.isError).toBe(true)
      expect(broken.texts[0]).toMatch(/^Error: the script was refused, nothing was started:\n\d+:\d+ error: /)
      const resumed = await harness.call('workflow', { resumeFromRunId: runId, ...text(`return await agent('a')`) })
      expect(resumed.texts[0]).toBe('workflow "test" completed (0 agents).\nReturn value:\n"a!"')
    })

    test('is told every wrong argument at once', async () => {
      const { texts, isError } = await harness.call('workflow', { scrpt: 'x', maxAgents: 0, background: 'yes' })
      expect(isError).toBe(true)
      expect(texts).toEqual([
        'Error: there is no argument "scrpt": did you mean "script"?\nmaxAgents has to be a whole number from 1 on, not 0\nbackground has to be true or false, not "yes"',
      ])
      expect((await harness.call('workflow', {})).texts).toEqual(['Error: one of script, scriptPath, name is needed'])
    })

    test('runs in the background, looks, waits and is told of the end', async () => {
      const started = await harness.call('workflow', {
        ...text(`return await agent('slow WAIT:150')`),
        background: true,
      })
      const { runId, status, scriptPath } = started.structured ?? {}
      expect({ status, scriptPath }).toEqual({ status: 'running', scriptPath: expect.stringContaining(String(runId)) })
      const look = await harness.call('workflow_status', { runId })
      expect(look.structured).toMatchObject({ runId, workflow: 'test' })
      await waitUntil('the run has ended', async () => (await world().statusOf(String(runId))) === 'completed')
      const list = await waitUntil('the end is noted', async () => {
        const answer = await harness.call('workflow_status')
        return answer.texts.length > 1 && answer
      })
      expect(list.texts.at(-1)).toContain(`Background run ${String(runId)} ("test") has ended: completed`)
      const waited = await harness.call('workflow_wait', { runId })
      expect(waited.texts).toEqual(['workflow "test" completed (1 agent).\nReturn value:\n"slow WAIT:150!"'])
      const again = await harness.call('workflow', { scriptPath, args: {} })
      expect(again.isError).toBe(false)
    })

    test('gets progress, and cancels', async () => {
      const abort = new AbortController()
      const heard: string[] = []
      const call = harness.call('workflow', text(`phase('Think')\nreturn await agent('HANG')`), {
        signal: abort.signal,
        onProgress: (message) => {
          heard.push(message)
          if (message.startsWith('Think')) abort.abort()
        },
      })
      await expect(call).rejects.toThrow()
      expect(heard.at(-1)).toBe('Think: 0 of 1 agents done')
      const { structured } = await harness.call('workflow_status')
      const runs = structured?.['runs'] as { runId: string }[] // this session's, newest first
      const runId = runs[0]?.runId ?? ''
      const cancelled = await harness.call('workflow_wait', { runId })
      expect(cancelled.texts[0]).toBe('Error: workflow run was cancelled (cancelled by the client)')
    })

    test('cancels, pauses, continues and skips by tools', async () => {
      const start = await harness.call('workflow', {
        ...text(`return [await agent('HANG'), await agent('HANG')]`),
        background: true,
      })
      const runId = start.structured?.['runId']
      await waitUntil('the agent runs', async () => {
        const { structured } = await harness.call('workflow_status', { runId })
        return JSON.stringify(structured?.['runningAgents']).includes('"agent":1')
      })
      expect((await harness.call('workflow_pause', { runId })).isError).toBe(false)
      expect((await harness.call('workflow_status', { runId })).structured).toMatchObject({ status: 'paused' })
      expect((await harness.call('workflow_continue', { runId })).isError).toBe(false)
      const skip = { runId, agent: 1, action: 'skip' }
      expect((await harness.call('workflow_agent', skip)).texts[0]).toContain('is skipped')
      const wait = await harness.call('workflow_wait', { runId, seconds: 0 })
      expect(wait.structured).toMatchObject({ status: 'running' })
      expect((await harness.call('workflow_result', { runId })).texts[0]).toContain('has no result yet')
      const cancelled = await harness.call('workflow_cancel', { runId, reason: 'enough' })
      expect(cancelled.structured).toEqual({ runId, status: 'cancelled' })
      const ended = await harness.call('workflow_wait', { runId })
      expect(ended.texts[0]).toBe('Error: workflow run was cancelled (enough)')
    })

    test('reads a long result in pages that make it up, and in parts', async () => {
      const { texts, structured } = await harness.call(
        'workflow',
        text(`return { items: Array.from({ length: 300 }, () => '😀'.repeat(200)) }`),
      )
      const runId = structured?.['runId']
      const whole = JSON.stringify(structured?.['result'], null, 2)
      const [, shown = '', omitted] =
        /Return value:\n([\s\S]*)\n… \[truncated: (\d+) more characters\]$/.exec(texts[0] ?? '') ?? []
      expect(shown.length + Number(omitted)).toBe(whole.length)
      expect(whole.startsWith(shown)).toBe(true)
      expect(texts[1]).toContain('workflow_result')
      let read = ''
      for (let offset: unknown = 0; typeof offset === 'number';) {
        // oxlint-disable-next-line no-await-in-loop -- pages come one after the other
        const page = await harness.call('workflow_result', { runId, offset, limit: 49_999 })
        read += page.texts[0]
        offset = page.structured?.['nextOffset']
      }
      expect(read).toBe(whole)
      const part = await harness.call('workflow_result', { runId, pointer: '/items/299' })
      expect(part.texts).toEqual([JSON.stringify('😀'.repeat(200))])
      const wrong = await harness.call('workflow_result', { runId, pointer: '/items/300' })
      expect(wrong.texts).toEqual(['Error: there is nothing at /items/300: an array of 300'])
    })

    test('checks and dry-runs scripts', async () => {
      const good = await harness.call('workflow_validate', text('return 1'))
      expect(good).toMatchObject({ isError: false, structured: { valid: true, name: 'test' } })
      const bad = await harness.call('workflow_validate', text('return Date.now()'))
      expect(bad.structured).toMatchObject({ diagnostics: [{ line: 2 }] })
      const dry = await harness.call(
        'workflow_dry_run',
        text(`return await parallel([1, 2].map((n) => () => agent('x' + n)))`),
      )
      expect(dry).toMatchObject({ isError: false, structured: { agentsStarted: 2, workflow: 'test' } })
    })

    test('does not see the runs of another', async () => {
      const other = await world().connect('other')
      try {
        const { structured } = await harness.call('workflow', text('return 1'))
        const runId = structured?.['runId']
        const unknown = await other.call('workflow_status', { runId: 'nothing' })
        const foreign = await other.call('workflow_status', { runId })
        expect(foreign.texts[0]).toBe(unknown.texts[0]?.replace('nothing', String(runId)))
        expect((await other.call('workflow_status')).structured).toEqual({ runs: [] })
        expect((await other.ask('resources/list'))['resources']).toEqual([])
        await expect(other.ask('resources/read', { uri: `workflow://runs/${String(runId)}` })).rejects.toThrow()
        const { contents } = await harness.ask('resources/read', { uri: `workflow://runs/${String(runId)}/result` })
        expect(contents).toMatchObject([{ text: '1' }])
      } finally {
        await other.close()
      }
    })

    test('is offered saved workflows as prompts', async () => {
      const { prompts } = await harness.ask('prompts/list')
      const saved = {
        name: 'saved',
        description: 'a saved one',
        arguments: [expect.objectContaining({ name: 'args' })],
      }
      expect(prompts).toEqual(expect.arrayContaining([saved]))
      const { messages } = await harness.ask('prompts/get', { name: 'saved', arguments: { args: '{"n":2}' } })
      expect(messages).toMatchObject([
        { content: { text: expect.stringContaining('{"name":"saved","args":{"n":2}}') } },
      ])
      const run = await harness.call('workflow', { name: 'saved', args: { n: 2 } })
      expect(run.texts).toEqual(['workflow "saved" completed (0 agents).\nReturn value:\n2'])
    })

    test('is answered before it would give up, and goes on from there', async () => {
      await world().writeSettings({ foregroundSeconds: 0.1 })
      try {
        const { texts, structured } = await harness.call('workflow', text(`return await agent('late WAIT:400')`))
        const runId = String(structured?.['runId'])
        expect(structured).toMatchObject({ status: 'running', runId })
        expect(texts[0]).toContain(`Call workflow_wait with runId "${runId}"`)
        await world().writeSettings({})
        const waited = await harness.call('workflow_wait', { runId })
        expect(waited.structured).toMatchObject({ result: 'late WAIT:400!' })
      } finally {
        await world().writeSettings({})
      }
    })
  })
}
