// What agents of a run ask leave for, asked at the terminal: one question at a time, one key as the answer.

import type { AgentState, HostClient, PermissionAnswer, RunId, RunState } from '../../shared/index.ts'
import type { Keyboard } from '../keyboard.ts'

const CHOICES: readonly { key: string; answer: PermissionAnswer; words: string }[] = [
  { key: 'a', answer: 'allow-once', words: 'allow once' },
  { key: 'r', answer: 'allow-run', words: 'allow for this run' },
  { key: 'n', answer: 'reject', words: 'reject' },
]

export interface PromptParts {
  client: HostClient
  keyboard: Keyboard
  /** Shows one line. */
  note(text: string): void
}

export class PermissionPrompt {
  readonly #parts: PromptParts
  /** The question that is being asked, and how it is taken back. */
  #asked: { request: string; gone: AbortController } | undefined

  constructor(parts: PromptParts) {
    this.#parts = parts
  }

  /** To be called whenever the run has changed: asks the next question, takes back one that is answered elsewhere. */
  update(runId: RunId, { agents }: Pick<RunState, 'agents'>): void {
    const open = agents.filter(({ permission }) => permission !== undefined)
    const asked = this.#asked
    if (asked !== undefined && open.some(({ permission }) => permission?.request === asked.request)) return
    this.end()
    const [next] = open
    if (next !== undefined) void this.#ask(runId, next)
  }

  /** Asks no more. */
  end(): void {
    this.#asked?.gone.abort()
    this.#asked = undefined
  }

  async #ask(runId: RunId, { agent, permission }: AgentState): Promise<void> {
    if (permission === undefined) return
    const { client, keyboard, note } = this.#parts
    const { request, options } = permission
    const choices = CHOICES.filter(({ answer }) => answer === 'reject' || options.includes(answer))
    const gone = new AbortController()
    this.#asked = { request, gone }
    note(`  answer agent ${agent} with a key: ${choices.map(({ key, words }) => `[${key}] ${words}`).join('  ')}`)
    const keys = choices.map(({ key }) => key)
    const pressed = await keyboard.read(keys, gone.signal)
    const answer = choices.find(({ key }) => key === pressed)?.answer
    if (answer === undefined) return
    // Somebody else was quicker, or the agent has ended: the run says so itself.
    await client.call('run.answerPermission', { runId, agent, request, answer }).catch(() => undefined)
  }
}
