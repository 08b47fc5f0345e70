import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { createAcpBackend } from '../../../src/agents/acp/acp-backend.ts'
import type { AgentBackend, AgentRequest } from '../../../src/engine/index.ts'
import type { JsonObject } from '../../../src/shared/index.ts'
import { describeConformance, type Behaviour, type Shown } from '../conformance.ts'
import { agentFile } from '../requests.ts'

const root = mkdtempSync(join(tmpdir(), 'weft-acp-'))
afterAll(() => {
  rmSync(root, { recursive: true, force: true })
})
let files = 0

function acp(behaviour: Behaviour): AgentBackend {
  const make = (steps: JsonObject[]): AgentBackend => {
    const file = join(root, `steps-${files++}.json`)
    writeFileSync(file, JSON.stringify(steps))
    return createAcpBackend({
      id: 'acp',
      command: ['node', agentFile('acp-agent.mjs')],
      inheritedEnv: { ...process.env, WEFT_TEST_STEPS: `@${file}` },
    })
  }
  return {
    ...make([]),
    runner: {
      run: (request, host, signal, onProgress) =>
        make(toSteps(behaviour, request)).runner.run(request, host, signal, onProgress),
    },
  }
}

function toSteps(behaviour: Behaviour, { structured }: AgentRequest): JsonObject[] {
  switch (behaviour.kind) {
    case 'answer': {
      const { answers, progress = [], usage, afterMs = 0 } = behaviour
      const told = usage && {
        totalTokens: 0,
        inputTokens: usage.inputTokens ?? 0,
        outputTokens: usage.outputTokens,
        cachedReadTokens: usage.cacheReadTokens ?? 0,
        thoughtTokens: usage.reasoningTokens ?? 0,
      }
      return [
        { sleep: afterMs },
        ...progress.map((shown) => toUpdate(shown)),
        ...(structured
          ? answers.map((answer) => ({ output: structured.wrapped ? { value: answer } : answer }))
          : [
              { tool: { sessionUpdate: 'tool_call', toolCallId: 'last', title: 'last look', status: 'completed' } },
              { text: answers[0] ?? '' },
            ]),
        ...(usage?.costUsd === undefined ? [] : [{ cost: usage.costUsd }]),
        { stop: 'end_turn', ...(told && { usage: told }) },
      ]
    }
    case 'error':
      return [{ fail: behaviour.message }]
    case 'hang':
      return [{ text: behaviour.text }, { hang: true }]
    case 'crash':
      return [{ text: behaviour.text }, { sleep: 20 }, { kill: 'SIGSEGV' }, { hang: true }]
    case 'silence':
      return [{ exit: 0 }]
    case 'garbage':
      return [...behaviour.lines.map((raw) => ({ raw })), { text: behaviour.answer }, { stop: 'end_turn' }]
  }
}

function toUpdate(shown: Shown): JsonObject {
  if (shown.kind === 'text') return { text: shown.text }
  const { tool, title = '', input, output, status = 'running' } = shown
  const begins = status === 'running'
  return {
    tool: {
      sessionUpdate: begins ? 'tool_call' : 'tool_call_update',
      toolCallId: 't1',
      title,
      name: tool,
      status: begins ? 'in_progress' : status,
      ...(input !== undefined && { rawInput: input }),
      ...(output !== undefined && { content: [{ type: 'content', content: { type: 'text', text: output } }] }),
    },
  }
}

describeConformance({ name: 'acp', make: acp, shows: (shown) => shown })
