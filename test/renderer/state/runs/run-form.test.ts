import { describe, expect, it } from 'vitest'
import { checkForm, type RunForm } from '../../../../src/renderer/state/runs/run-form.ts'

const form = (change: Partial<RunForm> = {}): RunForm => ({
  args: '',
  backend: '',
  budget: '',
  concurrency: '',
  ...change,
})

describe('the Run form', () => {
  it('asks for nothing but the defaults when it is empty', () => {
    expect(checkForm(form())).toEqual({ request: {}, errors: {} })
  })

  it('takes args, back end, budget and concurrency', () => {
    expect(checkForm(form({ args: ' {"a":[1]} ', backend: 'codex', budget: '5000', concurrency: '4' }))).toEqual({
      request: { args: { a: [1] }, backend: 'codex', budgetTokens: 5000, maxConcurrentAgents: 4 },
      errors: {},
    })
  })

  it('tells null and false from no args', () => {
    expect([checkForm(form({ args: 'null' })).request, checkForm(form({ args: 'false' })).request]).toEqual([
      { args: null },
      { args: false },
    ])
  })

  it('says what is wrong with args that are no JSON', () => {
    expect(checkForm(form({ args: '{a:1}' })).errors.args).toMatch(/^Not JSON: /)
  })

  it('refuses numbers that make no sense', () => {
    const errors = ['0', '-1', '1.5', 'many'].map((budget) => checkForm(form({ budget })).errors.budget)
    expect(errors).toEqual(Array.from({ length: 4 }, () => 'A whole number from 1 on.'))
    expect(checkForm(form({ concurrency: '257' })).errors).toEqual({ concurrency: 'At most 256.' })
  })
})
