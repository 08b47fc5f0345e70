// What the settings form shows: each setting with its words and limits. The host judges values; this only shapes the form.

import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/index.ts'

export interface SettingsField {
  path: readonly string[]
  label: string
  hint: string
  input:
    | { kind: 'number'; min?: number; max?: number; whole: boolean; standard: string }
    | { kind: 'text'; standard: string }
    /** Names with commas between them. */
    | { kind: 'names'; standard: string }
    | { kind: 'choice'; choices: readonly { value: JsonValue; label: string }[]; standard: string }
}

interface SettingsSection {
  title: string
  fields: readonly SettingsField[]
}

const whole = (standard: string, min: number, max?: number): SettingsField['input'] => ({
  kind: 'number',
  whole: true,
  min,
  standard,
  ...(max !== undefined && { max }),
})
const decimal = (standard: string): SettingsField['input'] => ({ kind: 'number', whole: false, min: 0, standard })

/** Everything of the settings schema but back ends, which have an editor of their own. */
export const SETTINGS_SECTIONS: readonly SettingsSection[] = [
  {
    title: 'Runs',
    fields: [
      {
        path: ['maxConcurrentAgents'],
        label: 'Agents at once',
        hint: 'Of one run, 1 to 256. Further ones queue.',
        input: whole('by the machine', 1, 256),
      },
      {
        path: ['maxConcurrentAgentsOverall'],
        label: 'Agents at once, all runs',
        hint: 'Of all runs together. Counts from the next start.',
        input: whole('no limit', 1, 4096),
      },
      {
        path: ['agentRetries'],
        label: 'Retries',
        hint: 'How often an agent that failed for a passing reason is started again.',
        input: whole('2', 0, 100),
      },
      {
        path: ['worktreeUncommitted'],
        label: 'Uncommitted changes and worktrees',
        hint: 'Whether agents in worktrees of their own begin with what is not committed.',
        input: {
          kind: 'choice',
          standard: 'Default: the last commit',
          choices: [
            { value: 'leave', label: 'Begin with the last commit' },
            { value: 'carry', label: 'Take changes along' },
          ],
        },
      },
      {
        path: ['stallSeconds'],
        label: 'Stall after',
        hint: 'Seconds without a sign of life until an agent counts as stalled.',
        input: decimal('600'),
      },
      {
        path: ['structuredOutputRetries'],
        label: 'Answer corrections',
        hint: 'How often an answer that does not match its schema is sent back.',
        input: whole('5', 0, 100),
      },
    ],
  },
  {
    title: 'Harnesses',
    fields: [
      {
        path: ['approval'],
        label: 'Runs that a harness starts',
        hint: 'Whether you are asked first. Remembered by script.',
        input: {
          kind: 'choice',
          standard: 'Default: ask while a window is open',
          choices: [
            { value: 'ask', label: 'Ask me' },
            { value: 'allow', label: 'Allow' },
            { value: 'deny', label: 'Deny' },
          ],
        },
      },
      {
        path: ['harness', 'maxAgents'],
        label: 'Agents a harness may start',
        hint: 'The most of one run.',
        input: whole('no limit', 1),
      },
      {
        path: ['harness', 'budgetTokens'],
        label: 'Budget of a harness’s run',
        hint: 'Output tokens at most.',
        input: whole('no limit', 1),
      },
      {
        path: ['harness', 'backends'],
        label: 'Back ends a harness may ask for',
        hint: 'Names with commas between them.',
        input: { kind: 'names', standard: 'all' },
      },
      {
        path: ['toolServerPort'],
        label: 'Port for HTTP',
        hint: 'The tool server listens there too, on this machine only. Counts from the next start.',
        input: whole('off', 1, 65_535),
      },
      {
        path: ['harness', 'sharedRuns'],
        label: 'Runs of other harnesses',
        hint: 'Whether each harness sees and steers the runs of all.',
        input: {
          kind: 'choice',
          standard: 'Default: its own only',
          choices: [
            { value: true, label: 'Shared' },
            { value: false, label: 'Its own only' },
          ],
        },
      },
      {
        path: ['onDisconnect'],
        label: 'When a harness goes away',
        hint: 'What becomes of the runs that it started.',
        input: {
          kind: 'choice',
          standard: 'Default: keep its runs',
          choices: [
            { value: 'keep', label: 'Keep its runs' },
            { value: 'cancel', label: 'Cancel its runs' },
          ],
        },
      },
      {
        path: ['foregroundSeconds'],
        label: 'Wait for a result',
        hint: 'Seconds that a tool call waits before it answers with a run to ask about; 0 waits for ever.',
        input: decimal('by the client'),
      },
      {
        path: ['toolName'],
        label: 'Tool name',
        hint: 'Letters, digits, _ and -, at most 64.',
        input: { kind: 'text', standard: 'workflow' },
      },
      {
        path: ['maxResultChars'],
        label: 'Result in a tool call',
        hint: 'Characters of a result’s JSON in the text of a tool call.',
        input: whole('50,000', 1),
      },
      {
        path: ['maxStructuredChars'],
        label: 'Structured result',
        hint: 'Characters of a result’s JSON as structured content.',
        input: whole('1,000,000', 1),
      },
    ],
  },
  {
    title: 'History',
    fields: [
      {
        path: ['retention', 'maxAgeDays'],
        label: 'Keep runs for',
        hint: 'Days. Pinned runs stay.',
        input: decimal('for ever'),
      },
      {
        path: ['retention', 'maxMegabytes'],
        label: 'Keep at most',
        hint: 'Megabytes of history; the oldest runs go first.',
        input: decimal('no limit'),
      },
    ],
  },
  {
    title: 'Desktop',
    fields: [
      {
        path: ['notifications'],
        label: 'Notifications',
        hint: 'When a run ends or an agent waits while no window is in front.',
        input: {
          kind: 'choice',
          standard: 'Default',
          choices: [
            { value: true, label: 'On' },
            { value: false, label: 'Off' },
          ],
        },
      },
      {
        path: ['updates', 'mode'],
        label: 'Updates',
        hint: 'Whether new versions are looked for.',
        input: {
          kind: 'choice',
          standard: 'Default',
          choices: [
            { value: 'off', label: 'Off' },
            { value: 'notify', label: 'Tell me' },
            { value: 'auto', label: 'Install them' },
          ],
        },
      },
      {
        path: ['updates', 'channel'],
        label: 'Update channel',
        hint: 'Beta versions come earlier.',
        input: {
          kind: 'choice',
          standard: 'Default',
          choices: [
            { value: 'latest', label: 'Latest' },
            { value: 'beta', label: 'Beta' },
          ],
        },
      },
    ],
  },
]

export function valueAt(settings: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = settings
  for (const name of path) value = isJsonObject(value) ? value[name] : undefined
  return value
}

/** A copy with another value at the path; undefined takes it out, and what is empty by that with it. */
export function withValue(settings: JsonObject, path: readonly string[], value: JsonValue | undefined): JsonObject {
  const [name, ...rest] = path
  if (name === undefined) return settings
  const { [name]: before, ...others } = settings
  const inner = rest.length === 0 ? value : withValue(isJsonObject(before) ? before : {}, rest, value)
  const isGone = inner === undefined || (rest.length > 0 && isJsonObject(inner) && Object.keys(inner).length === 0)
  return isGone ? others : { ...settings, [name]: inner }
}

/** The violations that are about the setting at the path, without its name. */
export function violationsOf(violations: readonly string[], path: readonly string[]): string[] {
  const name = path.join('.')
  return violations
    .filter((violation) => violation === name || violation.startsWith(`${name} `) || violation.startsWith(`${name}.`))
    .map((violation) => violation.slice(name.length).replace(/^[ .]/, ''))
}
