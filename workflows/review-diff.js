export const meta = {
  name: 'review-diff',
  description: 'Reviews a git diff file by file and keeps only the findings that survive adversarial verification.',
  whenToUse: 'Before merging a branch, or when the user asks for a thorough review of a change with several agents.',
  phases: [
    { title: 'Scope', detail: 'Which files changed' },
    { title: 'Review', detail: 'One reviewer a file and angle' },
    { title: 'Verify', detail: 'Sceptics try to refute each finding' },
  ],
}

// args: { base?: string, head?: string, angles?: string[], votes?: number }
//   base    what the change is compared with (default HEAD~1)
//   head    the changed state (default HEAD); "WORKTREE" for what is not committed yet
//   angles  what reviewers look for (default below)
//   votes   how many sceptics look at each finding (default 2; a finding needs more than half of those who answered)
const { base = 'HEAD~1', head = 'HEAD', votes = 2 } = args ?? {}
const angles = args?.angles ?? [
  'correctness: logic errors, wrong conditions, unhandled failures',
  'security: injection, unsafe evaluation, secrets, missing checks',
  'leftovers: debugging output, dead code, TODO marks',
]
const range = head === 'WORKTREE' ? base : `${base} ${head}`

// 1 · Scope. One agent, because everything after depends on its answer; a schema, because the script has to loop over it.
phase('Scope')
const scope = await agent(
  `List the files that \`git diff --name-only --diff-filter=d ${range}\` names in this repository.
Leave out lock files, generated files and binaries. Give paths relative to the repository's root, exactly as git prints them.`,
  {
    label: 'changed files',
    schema: {
      type: 'object',
      properties: { files: { type: 'array', items: { type: 'string' } } },
      required: ['files'],
      additionalProperties: false,
    },
  },
)
// `null` means that the agent failed. Without a scope there is nothing to say: failing beats a review of nothing that looks like praise.
if (scope === null) throw new Error('the changed files could not be listed, so nothing was reviewed')
log(`${scope.files.length} changed files, ${angles.length} angles each`)

const findingSchema = {
  type: 'object',
  properties: {
    findings: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          file: { type: 'string' },
          line: { type: 'integer', minimum: 1 },
          quote: { type: 'string', description: 'The offending line, copied exactly' },
          problem: { type: 'string', description: 'What is wrong, in one sentence' },
          severity: { enum: ['high', 'medium', 'low'] },
        },
        required: ['file', 'line', 'quote', 'problem', 'severity'],
        additionalProperties: false,
      },
    },
  },
  required: ['findings'],
  additionalProperties: false,
}
const verdictSchema = {
  type: 'object',
  properties: { real: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['real', 'reason'],
  additionalProperties: false,
}

// 2 + 3 · Review, then verify. A pipeline and not two barriers: the first file's findings are being verified while the
// last file is still under review.
const jobs = scope.files.flatMap((file) => angles.map((angle) => ({ file, angle })))
const short = (angle) => angle.split(':')[0]

const reviewed = await pipeline(
  jobs,
  (job) => {
    phase('Review')
    return agent(
      `Review the change to \`${job.file}\` in \`git diff ${range} -- ${job.file}\`. Read the whole file for context.
Look only for ${job.angle}.
Report problems on lines that the change adds or edits, with the line number in the new file and the line copied exactly.
No style remarks, nothing you are not sure of. An empty list is a good answer.`,
      { label: `${job.file} · ${short(job.angle)}`, schema: findingSchema },
    )
  },
  async (review, job) => {
    if (review === null) return { job, failed: true, findings: [] }
    phase('Verify')
    const findings = await parallel(
      review.findings.map((finding) => async () => {
        const answers = await parallel(
          Array.from({ length: votes }, (_, n) => () =>
            agent(
              `Another reviewer claims a problem in \`${finding.file}\` at line ${finding.line}:

> ${finding.problem}

The line is said to be:

\`\`\`
${finding.quote}
\`\`\`

You are sceptic ${n + 1} of ${votes}. Try to refute the claim: read the file, check that the line is there and says that, and that the problem is real in its context. Say real only if you could not refute it.`,
              { label: `${finding.file}:${finding.line} · sceptic ${n + 1}`, schema: verdictSchema },
            ),
          ),
        )
        const given = answers.filter((answer) => answer !== null)
        const real = given.filter((answer) => answer.real).length
        // A sceptic that died has not said no. With no verdict at all, a finding is unverified, never refuted.
        const state = given.length === 0 ? 'unverified' : real * 2 > given.length ? 'confirmed' : 'refuted'
        return { ...finding, angle: short(job.angle), state, votes: `${real}/${given.length}`, reasons: given.map((answer) => answer.reason) }
      }),
    )
    return { job, failed: false, findings: findings.filter((finding) => finding !== null) }
  },
)

// 4 · Report. Plain code, no agent: merging and ranking need no judgement, so they cost nothing and are the same each time.
const done = reviewed.filter((entry) => entry !== null)
const rank = { high: 0, medium: 1, low: 2 }
const trust = { confirmed: 0, unverified: 1, refuted: 2 }
const seen = new Set()
const unique = done
  .flatMap((entry) => entry.findings)
  // Two angles may find the same line: keep the best supported of them.
  .sort((a, b) => trust[a.state] - trust[b.state])
  .filter((finding) => {
    const place = `${finding.file}:${finding.line}:${finding.quote.trim()}`
    if (seen.has(place)) return false
    seen.add(place)
    return true
  })
  .sort((a, b) => rank[a.severity] - rank[b.severity] || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line))

const failedReviews = jobs.length - done.filter((entry) => !entry.failed).length
if (failedReviews > 0) log(`${failedReviews} of ${jobs.length} reviews failed: the report is incomplete`)

return {
  range: `${base}..${head}`,
  files: scope.files,
  findings: unique.filter((finding) => finding.state === 'confirmed'),
  unverified: unique.filter((finding) => finding.state === 'unverified'),
  refuted: unique.filter((finding) => finding.state === 'refuted').length,
  reviews: { total: jobs.length, failed: failedReviews },
}
