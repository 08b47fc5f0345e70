// Keys stay out of whatever is shown, stored or sent: wherever a key's text turns up, a mark takes its place.

import type { AgentRunResult } from '../../engine/index.ts'
import type { AgentProgress } from '../../shared/index.ts'

const MARK = '[key removed]'
/** Anything shorter would be found in ordinary words. */
const MIN_LENGTH = 8

export type Redact = (text: string) => string

export function createRedact(secrets: readonly (string | undefined)[]): Redact {
  const known = secrets.filter((secret): secret is string => secret !== undefined && secret.length >= MIN_LENGTH)
  // Providers quote wrong keys with their middle starred out; those need no removing.
  return (text) => known.reduce((rest, secret) => rest.split(secret).join(MARK), text)
}

/** What is nested in an input as well: by way of its JSON. */
export function redactProgress(progress: AgentProgress, redact: Redact): AgentProgress {
  const text = JSON.stringify(progress)
  const clean = redact(text)
  // It was JSON before, and a key is replaced by words.
  return clean === text ? progress : (JSON.parse(clean) as AgentProgress)
}

export function redactResult(result: AgentRunResult, redact: Redact): AgentRunResult {
  const text = JSON.stringify(result)
  const clean = redact(text)
  // As above.
  return clean === text ? result : (JSON.parse(clean) as AgentRunResult)
}
