// Requests as the engine makes them, for tests of back ends: with a real ajv as the judge of structured answers.

import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { AgentRequest, AgentRunResult, HostHandle, StructuredRequest } from '../../src/engine/index.ts'
import {
  asAgentNumber,
  asCallKey,
  asCallPath,
  asRunId,
  isJsonObject,
  type AgentProgress,
  type JsonObject,
} from '../../src/shared/index.ts'
import { readProcess } from '../../src/agents/process/process-table.ts'

// Opaque to every runner: an empty object does.
export const NO_HOST = {} as HostHandle

/** The path of an agent program in test/support/agents. */
export function agentFile(name: string): string {
  return fileURLToPath(new URL(`../support/agents/${name}`, import.meta.url))
}

let requests = 0

/** A request with its own run, so that no two tests' processes carry the same cookie. */
export function makeRequest(overrides: Partial<AgentRequest> = {}): AgentRequest {
  const runId = asRunId(`RUN${process.pid}X${++requests}`)
  return {
    runId,
    lineage: runId,
    agent: asAgentNumber(1),
    path: asCallPath('/agent:0'),
    key: asCallKey(requests.toString(16).padStart(64, '0')),
    attempt: 1,
    prompt: 'Say hello.',
    label: 'hello',
    phase: null,
    cwd: process.cwd(),
    ...overrides,
  }
}

export function makeStructured(schema: JsonObject | boolean, maxRetries = 5): StructuredRequest {
  const named = isJsonObject(schema) ? schema['$schema'] : undefined
  const dialect = typeof named === 'string' ? named : ''
  const options = { strict: false, allErrors: true, logger: false } as const
  const ajv = dialect.includes('draft-07')
    ? new Ajv(options)
    : dialect.includes('2019-09')
      ? new Ajv2019(options)
      : new Ajv2020(options)
  addFormats.default(ajv)
  const validate = ajv.compile(schema)
  const wrapped = !isJsonObject(schema) || schema['type'] !== 'object'
  return {
    schema,
    objectSchema: wrapped ? { type: 'object', properties: { value: schema }, required: ['value'] } : schema,
    wrapped,
    maxRetries,
    validate(answer, form) {
      const value = form === 'wrapped' && wrapped && isJsonObject(answer) ? (answer['value'] ?? null) : answer
      if (validate(value)) return Promise.resolve({ ok: true, value })
      return Promise.resolve({
        ok: false,
        errors: (validate.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.message ?? ''}`),
      })
    },
  }
}

export function assertOk(result: AgentRunResult): Extract<AgentRunResult, { kind: 'ok' }> {
  if (result.kind !== 'ok') throw new Error(`expected an answer, got ${JSON.stringify(result)}`)
  return result
}

export function assertDead(result: AgentRunResult): Extract<AgentRunResult, { kind: 'dead' }> {
  if (result.kind !== 'dead') throw new Error(`expected a dead call, got ${JSON.stringify(result)}`)
  return result
}

/** Collects progress; `until` resolves with the first that fits, now or later. */
export class ProgressLog {
  readonly all: AgentProgress[] = []
  #waiting: { fits: (progress: AgentProgress) => boolean; resolve: (progress: AgentProgress) => void }[] = []

  readonly add = (progress: AgentProgress): void => {
    this.all.push(progress)
    this.#waiting = this.#waiting.filter(({ fits, resolve }) => {
      if (!fits(progress)) return true
      resolve(progress)
      return false
    })
  }

  until(fits: (progress: AgentProgress) => boolean): Promise<AgentProgress> {
    const known = this.all.find(fits)
    if (known) return Promise.resolve(known)
    return new Promise((resolve) => {
      this.#waiting.push({ fits, resolve })
    })
  }

  /** The pids that the misbehaving agents tell as `pids 1 2 3`. */
  async pids(): Promise<number[]> {
    const told = await this.until((progress) => progress.kind === 'text' && progress.text.startsWith('pids '))
    return told.kind === 'text' ? told.text.split(' ').slice(1).map(Number) : []
  }
}

/** Those of `pids` that are still running, zombies not counted. */
export function living(pids: readonly number[]): number[] {
  return pids.filter((pid) => readProcess(pid) !== undefined)
}
