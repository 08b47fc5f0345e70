// What the simulated back end and its worker say to each other.

import type { JsonObject, JsonValue } from '../../../shared/index.ts'

/** How many different answers to a schema are worth trying. */
export const CANDIDATES = 12

export type WorkerTask =
  | { op: 'answer'; schema: JsonObject | boolean; seed: number; candidate: number }
  /** Which of the patterns match its text, in order. */
  | { op: 'match'; tests: { pattern: string; text: string }[] }

export type WorkerRequest = { id: number } & WorkerTask

export type WorkerReply = { id: number; ok: true; value: JsonValue } | { id: number; ok: false; error: string }
