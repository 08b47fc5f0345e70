import { describe, expect, it } from 'vitest'
import { HostError, type Diagnostic } from '../../src/shared/index.ts'
import { CliError, toCliError } from '../../src/cli/errors.ts'
import { toErrorEnvelope } from '../../src/cli/output/error-envelope.ts'

const finding: Diagnostic = {
  line: 2,
  column: 3,
  endLine: 2,
  endColumn: 9,
  severity: 'error',
  code: 'meta/missing-field',
  message: 'meta.name is missing',
}

describe('toCliError', () => {
  it('keeps what a host said, with every violation once', () => {
    const error = toCliError(
      new HostError({
        code: 'BAD_REQUEST',
        message: 'run.start: a is wrong',
        violations: ['a is wrong', 'b is wrong'],
      }),
    )
    expect([error.code, error.exitCode, error.message]).toEqual(['USAGE', 2, 'run.start: a is wrong\n  b is wrong'])
  })

  it.each([
    ['SCRIPT_REFUSED', 2],
    ['NOT_FOUND', 2],
    ['BACKEND_UNAVAILABLE', 2],
    ['CLOSED', 1],
    ['INTERNAL', 1],
  ] as const)('turns %s into exit code %d', (code, exit) => {
    expect(toCliError(new HostError({ code, message: 'm' })).exitCode).toBe(exit)
  })

  it('takes anything that was thrown', () => {
    expect([toCliError(new Error('boom')).message, toCliError('text').message]).toEqual(['boom', 'text'])
  })
})

describe('toErrorEnvelope', () => {
  it('has the shape of a run, with the place of the first error', () => {
    const error = new CliError('REFUSED', 'a.js:2:3: meta.name is missing', {
      diagnostics: [{ ...finding, severity: 'warning', line: 1 }, finding],
      script: { file: '/w/a.js' },
    })
    expect(toErrorEnvelope(error)).toEqual({
      runId: null,
      workflow: null,
      outcome: 'error',
      degraded: false,
      result: null,
      error: { code: 'META_INVALID', message: 'a.js:2:3: meta.name is missing', file: '/w/a.js', line: 2, column: 3 },
      agentsStarted: 0,
      calls: { completed: 0, failed: 0, skipped: 0, cancelled: 0, replayed: 0 },
      usage: { inputTokens: 0, outputTokens: 0, costUsd: null, replayedOutputTokens: 0 },
      durationMs: 0,
      scriptPath: '/w/a.js',
      simulated: false,
      warnings: [],
    })
  })

  it.each(['CONFLICT', 'NOT_ALLOWED'] as const)('blames no script for %s', (code) => {
    const error = toCliError(new HostError({ code, message: 'Run X is live' }))
    expect(toErrorEnvelope(error).error).toEqual({ code: 'INVALID_ARGUMENT', message: 'Run X is live' })
  })
})
