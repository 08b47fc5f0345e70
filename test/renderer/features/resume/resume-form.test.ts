import { describe, expect, it } from 'vitest'
import { checkResume, formOf } from '../../../../src/renderer/features/resume/resume-form.ts'

const EARLIER = {
  workflow: 'review',
  title: null,
  scriptPath: '/workspace/review.js',
  fileName: 'review.js',
  args: { base: 'main' },
  backend: 'codex',
  budgetTokens: 5000,
}

describe('the Resume dialog', () => {
  it('asks for nothing that is as it was before', () => {
    expect(checkResume(formOf(EARLIER), EARLIER)).toEqual({ request: { script: 'same' }, errors: {} })
  })

  it('asks for what was changed', () => {
    const form = {
      ...formOf(EARLIER),
      script: 'file' as const,
      args: '{"base":"dev"}',
      backend: 'opencode',
      budget: '9',
    }
    expect(checkResume(form, EARLIER).request).toEqual({
      script: 'file',
      args: { base: 'dev' },
      backend: 'opencode',
      budgetTokens: 9,
    })
  })

  it('asks to go without what was emptied', () => {
    const form = { ...formOf(EARLIER), args: ' ', budget: '' }
    expect(checkResume(form, EARLIER).request).toEqual({ script: 'same', without: ['args', 'budget'] })
    const bare = { ...EARLIER, args: undefined, budgetTokens: null }
    expect(checkResume(formOf(bare), bare).request).toEqual({ script: 'same' })
  })

  it('takes args that are no JSON for an error', () => {
    expect(checkResume({ ...formOf(EARLIER), args: '{' }, EARLIER).errors.args).toContain('Not JSON')
  })
})
