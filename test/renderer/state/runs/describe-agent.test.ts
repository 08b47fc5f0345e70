import { expect, it } from 'vitest'
import { EMPTY_RUN, foldRunAll } from '../../../../src/shared/index.ts'
import { describeAgent } from '../../../../src/renderer/state/runs/describe-agent.ts'
import { liveReview } from '../../../support/renderer/sample-run.ts'

it('everything about an agent is facts, prompt, attempts, transcript and result', () => {
  const token = foldRunAll(EMPTY_RUN, liveReview(0).events).agents[2]
  if (token === undefined) throw new Error('no agent')
  const text = describeAgent(token, undefined, {
    items: [
      { kind: 'tool', tool: 'read', title: 'a.ts', status: 'completed', output: 'text of a.ts' },
      { kind: 'text', text: 'Looks fine.', cut: false },
    ],
    dropped: 0,
  })
  expect(text).toBe(`# review src/auth/token.ts

status: failed
back end: opencode
model: gpt-5-mini
phase: Review
path: /agent:2
attempts: 2
duration: 11 s
output tokens: 210
input tokens: 6400
error: opencode ended with exit code 1: model not found

## Prompt

Review src/auth/token.ts for correctness and security.

## Failed attempts

1 (transient): 429: rate limit, retry after 1 s

## Transcript

[read] a.ts completed
text of a.ts
Looks fine.
`)
})
