export const meta = {
  name: 'bug-hunt',
  description: 'Hunts for bugs in rounds, from different angles, until rounds stay dry; keeps what reproduces on a second look.',
  whenToUse: 'When the user wants bugs found in a code base or a part of it, with more than one pass.',
  phases: [
    { title: 'Hunt', detail: 'Finders with different strategies, round after round' },
    { title: 'Confirm', detail: 'A second agent tries to show that the bug is none' },
  ],
}

// args: { area?: string, dryRounds?: number, maxRounds?: number, hunters?: number }
//   area       where to look (default: the whole repository)
//   dryRounds  stop after so many rounds in a row without a new confirmed bug (default 2)
//   maxRounds  stop anyhow (default 6)
const { area = 'the whole repository', dryRounds = 2, maxRounds = 6, hunters = 4 } = args ?? {}

// Randomness is not available in a script (a resume would not see the same choices); variety comes from the index.
const strategies = [
  'Follow the error paths: what happens when a call fails, times out or returns nothing?',
  'Look at boundaries: empty input, one element, the largest value, off-by-one, wrong units.',
  'Look at state shared between calls: races, stale caches, order of clean-up.',
  'Compare documentation, names and tests with what the code does.',
  'Follow untrusted input from where it enters to where it is used.',
  'Read the least-tested and most-changed files in full.',
]

const bugSchema = {
  type: 'object',
  properties: {
    bugs: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          file: { type: 'string' },
          line: { type: 'integer', minimum: 1 },
          summary: { type: 'string' },
          trigger: { type: 'string', description: 'Input or sequence of calls that shows it' },
        },
        required: ['file', 'line', 'summary', 'trigger'],
        additionalProperties: false,
      },
    },
  },
  required: ['bugs'],
  additionalProperties: false,
}
const confirmSchema = {
  type: 'object',
  properties: { bug: { type: 'boolean' }, reason: { type: 'string' }, severity: { enum: ['high', 'medium', 'low'] } },
  required: ['bug', 'reason', 'severity'],
  additionalProperties: false,
}

const known = new Map()
const confirmed = []
let unchecked = 0
let dry = 0
let round = 0
// What one round cost decides whether another one fits the budget: the loop stops by itself instead of being cut off.
let dearestRound = 0

while (dry < dryRounds && round < maxRounds) {
  if (budget.remaining() < dearestRound) {
    log(`Stopping before round ${round + 1}: ${budget.remaining()} tokens left, the dearest round took ${dearestRound}`)
    break
  }
  round += 1
  const spentBefore = budget.spent()

  phase('Hunt')
  const seen = [...known.values()].map((bug) => `- ${bug.file}:${bug.line} ${bug.summary}`).join('\n')
  const finds = await parallel(
    Array.from({ length: hunters }, (_, n) => () => {
      // Every round starts at another strategy, so that no two rounds ask the same things.
      const strategy = strategies[(round - 1 + n) % strategies.length]
      return agent(
        `Hunt for bugs in ${area}. ${strategy}
Report only what you can name an input or a sequence of calls for.

Round ${round}. Already known, don't report again:
${seen || '(nothing yet)'}`,
        { label: `round ${round} · hunter ${n + 1}`, schema: bugSchema },
      )
    }),
  )
  const answered = finds.filter((find) => find !== null)
  // A round in which every hunter died says nothing about the code: it must not count as dry.
  if (answered.length === 0) throw new Error(`every hunter of round ${round} failed: stopping instead of reporting a clean code base`)

  const fresh = []
  for (const bug of answered.flatMap((find) => find.bugs)) {
    const place = `${bug.file}:${bug.line}`
    if (known.has(place)) continue
    known.set(place, bug)
    fresh.push(bug)
  }

  phase('Confirm')
  const checked = await parallel(
    fresh.map((bug) => async () => {
      const check = await agent(
        `Someone reports a bug at \`${bug.file}:${bug.line}\`: ${bug.summary}
Trigger: ${bug.trigger}

Read the code and its callers and try to show that it is no bug. Say bug only if you failed to.`,
        { label: `confirm ${bug.file}:${bug.line}`, schema: confirmSchema },
      )
      return check === null ? { bug, check: null } : { bug, check }
    }),
  )
  const results = checked.filter((entry) => entry !== null)
  unchecked += results.filter((entry) => entry.check === null).length
  const real = results.filter((entry) => entry.check?.bug)
  confirmed.push(...real.map(({ bug, check }) => ({ ...bug, severity: check.severity, reason: check.reason, round })))

  dry = real.length === 0 ? dry + 1 : 0
  dearestRound = Math.max(dearestRound, budget.spent() - spentBefore)
  log(`Round ${round}: ${fresh.length} new reports, ${real.length} confirmed`)
}

const rank = { high: 0, medium: 1, low: 2 }
return {
  area,
  rounds: round,
  stopped: dry >= dryRounds ? 'dry' : round >= maxRounds ? 'rounds' : 'budget',
  bugs: confirmed.sort((a, b) => rank[a.severity] - rank[b.severity]),
  reports: known.size,
  unchecked,
}
