import { describe, expect, it } from 'vitest'
import { announceResume, type ResumeConsent } from '../../../src/cli/run/announce-resume.ts'
import type { CliContext } from '../../../src/cli/context.ts'
import type { Keyboard } from '../../../src/cli/keyboard.ts'
import { HostError, type HostClient, type ResumePlan } from '../../../src/shared/index.ts'
import { captureOutput } from '../../support/cli/captured-output.ts'

const PLAN = { replays: 5, runs: 2, depends: 1, estimatedOutputTokens: 4100 }

/** Asks about a resume with this plan; `key` is what is pressed at a terminal, if anything may be. */
async function announce(plan: Partial<ResumePlan> | HostError, consent: ResumeConsent = {}, key?: string) {
  const err = Object.defineProperty(captureOutput(), 'isTty', { value: key !== undefined })
  let asked = 0
  const keyboard: Keyboard = {
    read: async (keys) => {
      asked++
      return keys.find((known) => known === key)
    },
  }
  const context = { err, keyboard: key === undefined ? undefined : keyboard } as unknown as CliContext
  const client = {
    call: async () => {
      if (plan instanceof HostError) throw plan
      return { ...PLAN, ...plan }
    },
  } as unknown as HostClient
  const outcome = await announceResume(context, client, { resumeFromRunId: 'x' }, consent).then(
    () => 'goes on',
    (error: Error) => error.message,
  )
  return { outcome, said: err.text, asked }
}

describe('a resume from the command line', () => {
  it('says how many calls run and about what they cost, and goes on where nobody is asked', async () => {
    expect(await announce({})).toEqual({
      outcome: 'goes on',
      said: 'replays 5 calls, runs 2 calls and about 1 more that depend on them: about 4.1k output tokens\n',
      asked: 0,
    })
    expect((await announce({ runs: 0, depends: 0 }, {}, 'n')).said).toBe('replays 5 calls, runs none\n')
  })

  it('asks at a terminal before it pays, and takes Enter for yes', async () => {
    expect(await announce({}, {}, 'n')).toMatchObject({ outcome: 'nothing was started', asked: 1 })
    expect(await announce({}, {}, '\u0003')).toMatchObject({ outcome: 'nothing was started' })
    expect(await announce({}, {}, '\r')).toMatchObject({
      outcome: 'goes on',
      said: expect.stringMatching(/Go on\? \[Y\/n\] yes\n$/),
    })
  })

  it('does not ask with --yes, for a machine, or when nothing is paid for', async () => {
    expect((await announce({}, { yes: true }, 'n')).asked).toBe(0)
    expect((await announce({}, { json: true }, 'n')).asked).toBe(0)
    expect((await announce({}, { events: '-' }, 'n')).asked).toBe(0)
    expect((await announce({ runs: 0, depends: 0 }, {}, 'n')).asked).toBe(0)
  })

  it('leaves it to the start to say why it can not be', async () => {
    const refused = new HostError({ code: 'CONFLICT', message: 'no' })
    expect(await announce(refused, {}, 'n')).toEqual({ outcome: 'goes on', said: '', asked: 0 })
  })
})
