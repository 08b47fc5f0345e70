// Finds out which agents are installed and signed in, by files, variables and commands that cost nothing. What was found out
// of a program holds until its file changes.

import { realpathSync, statSync } from 'node:fs'
import { PROVIDERS, findKey, type ProviderName } from '../model-api/providers.ts'
import type { Reaper } from '../process/reaper-client.ts'
import { findProgram, realSurroundings } from '../process/resolve-command.ts'
import { askProgram } from './ask-program.ts'
import { KNOWN_AGENTS, type Env, type KnownAgent, type SignIn } from './known-agents.ts'

export interface DetectorOptions {
  env: Env
  home: string
  reaper?: Reaper
  /** How long one question may take. Default 10 s: some of these programs take 5 to start. */
  limitMs?: number
}

export interface Detected {
  id: string
  settings: KnownAgent['settings'] | { kind: 'model-api'; provider: ProviderName }
  program: string | null
  installed: boolean
  version: string | null
  signedIn: boolean | null
  detail: string
}

type Verdict = Pick<Detected, 'signedIn' | 'detail'>

/** A status may change at any time, yet a window that asks twice in a row need not wait twice. */
const STATUS_MS = 30_000

export class AgentDetector {
  readonly #options: DetectorOptions
  readonly #versions = new Map<string, Promise<string | null>>()
  readonly #statuses = new Map<string, { until: number; answer: Promise<boolean | undefined> }>()

  constructor(options: DetectorOptions) {
    this.#options = options
  }

  /** Every agent and provider that is known, installed or not. Never rejects for what it finds. */
  async detect(): Promise<Detected[]> {
    const agents = await Promise.all(KNOWN_AGENTS.map((agent) => this.#look(agent)))
    return [...agents, ...this.#lookAtProviders()]
  }

  async #look({ id, settings, program, signIn }: KnownAgent): Promise<Detected> {
    const found = findProgram(program, realSurroundings(this.#options.env, process.cwd()))
    if (found === undefined) {
      const detail = `${program} is in no folder of PATH`
      return { id, settings, program: null, installed: false, version: null, signedIn: null, detail }
    }
    const [version, verdict] = await Promise.all([this.#version(found), this.#signedIn(found, signIn)])
    return { id, settings, program: found, installed: true, version, ...verdict }
  }

  #version(program: string): Promise<string | null> {
    const key = identify(program)
    const known = this.#versions.get(key) ?? this.#askVersion(program)
    this.#versions.set(key, known)
    return known
  }

  async #askVersion(program: string): Promise<string | null> {
    const answer = await this.#ask([program, '--version'])
    return answer?.code === 0 ? (/\d+\.\d+[\w.+-]*/.exec(answer.output)?.[0] ?? null) : null
  }

  async #signedIn(program: string, { variables, files, status, elsewhere }: SignIn): Promise<Verdict> {
    const { env, home } = this.#options
    const variable = variables.find((name) => (env[name]?.trim() ?? '') !== '')
    if (variable !== undefined) return { signedIn: true, detail: `by ${variable}` }
    const file = files(env, home).find(holdsSomething)
    if (file !== undefined && status === undefined) return { signedIn: true, detail: `by ${file}` }
    if (status !== undefined) {
      const answer = await this.#status([program, ...status])
      if (answer === true) return { signedIn: true, detail: `as "${status.join(' ')}" says` }
    }
    return elsewhere
      ? { signedIn: null, detail: 'no sign-in was found, but it may have one elsewhere' }
      : { signedIn: false, detail: 'nobody is signed in' }
  }

  #status(command: readonly string[]): Promise<boolean | undefined> {
    const key = command.join('\0')
    const known = this.#statuses.get(key)
    if (known !== undefined && known.until > Date.now()) return known.answer
    const answer = this.#ask(command).then((said) => said && said.code === 0)
    this.#statuses.set(key, { until: Date.now() + STATUS_MS, answer })
    return answer
  }

  #ask(command: readonly string[]): ReturnType<typeof askProgram> {
    const { env, reaper, limitMs = 10_000 } = this.#options
    return askProgram({ command, env, reaper, limitMs })
  }

  #lookAtProviders(): Detected[] {
    // Own constants, which have no other keys than their type says.
    const names = Object.keys(PROVIDERS) as ProviderName[]
    return names
      .filter((provider) => PROVIDERS[provider].keyNames.length > 0)
      .map((provider) => {
        const { name, value } = findKey(provider, undefined, this.#options.env)
        const signedIn = value !== undefined
        const detail = signedIn ? `by ${name}` : `${name} is not set`
        const settings = { kind: 'model-api' as const, provider }
        return { id: provider, settings, program: null, installed: true, version: null, signedIn, detail }
      })
  }
}

/** Another file in the same place is another program. */
function identify(program: string): string {
  try {
    const real = realpathSync(program)
    const { mtimeMs, size } = statSync(real)
    return `${real}\0${mtimeMs}\0${size}`
  } catch {
    return program
  }
}

/** `{}` is what is left of some after a sign-out. */
function holdsSomething(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 4
}
