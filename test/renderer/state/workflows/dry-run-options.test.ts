import { describe, expect, it } from 'vitest'
import {
  checkDryRunForm,
  describeSimulation,
  recallDryRun,
  STANDARD_DRY_RUN,
} from '../../../../src/renderer/state/workflows/dry-run-options.ts'

describe('dry run options', () => {
  it('mean nothing out of the ordinary until something is chosen', () => {
    expect(checkDryRunForm(STANDARD_DRY_RUN)).toEqual({ simulation: {}, errors: {} })
    expect(describeSimulation(STANDARD_DRY_RUN)).toEqual([])
  })

  it('are what the host takes, and said in words', () => {
    const form = {
      failRate: '30',
      failCalls: ['sum up'],
      seed: '7',
      answersFromRun: '01RUNABCDEF',
      permissions: 'reject' as const,
    }
    expect(checkDryRunForm(form).simulation).toEqual({
      failRate: 0.3,
      failCalls: ['sum up'],
      seed: 7,
      answersFromRun: '01RUNABCDEF',
      permissions: 'reject',
    })
    expect(describeSimulation(form)).toEqual([
      '30% of calls fail',
      'fails: sum up',
      'seed 7',
      'answers from run ABCDEF',
      'permissions rejected',
    ])
    expect(recallDryRun(JSON.parse(JSON.stringify(form)))).toEqual(form)
  })

  it('that are wrong are told by their field', () => {
    const { errors } = checkDryRunForm({ ...STANDARD_DRY_RUN, failRate: '101', seed: '-1' })
    expect(Object.keys(errors)).toEqual(['failRate', 'seed'])
  })

  it('that were remembered in another form are the standard', () => {
    expect(recallDryRun('x')).toEqual(STANDARD_DRY_RUN)
    expect(recallDryRun({ failRate: 3, failCalls: [1, 'a'] })).toEqual({ ...STANDARD_DRY_RUN, failCalls: ['a'] })
  })
})
