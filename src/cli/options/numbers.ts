// Numbers as people type them on a command line, refused in words when they can't be meant.

import { InvalidArgumentError } from '@commander-js/extra-typings'

const SUFFIX: Record<string, number> = { '': 1, k: 1000, m: 1_000_000 }

/** `500k`, `1.5M`, `200000` → output tokens. */
export function parseBudget(text: string): number {
  const match = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text.trim())
  const factor = SUFFIX[match?.[2]?.toLowerCase() ?? 'none']
  if (!match || factor === undefined) {
    throw new InvalidArgumentError('Give output tokens as a number, with k or M if you like: 20000, 500k, 1.5M.')
  }
  // Rounded, because 1.1 * 1000 is not quite 1100 in binary.
  const tokens = Math.round(Number(match[1]) * factor)
  if (tokens < 1) {
    throw new InvalidArgumentError('A budget of 0 would refuse every agent. Leave --budget out for no limit.')
  }
  if (!Number.isSafeInteger(tokens)) throw new InvalidArgumentError('That is more tokens than can be counted.')
  return tokens
}

/** The same, or `none`: no budget, whatever the earlier run had. */
export function parseBudgetOrNone(text: string): number | 'none' {
  return text.trim().toLowerCase() === 'none' ? 'none' : parseBudget(text)
}

function parseWhole(text: string): number | undefined {
  const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : undefined
}

/** Agents at once, 1 to 256. */
export function parseConcurrency(text: string): number {
  const value = parseWhole(text)
  if (value === 0) throw new InvalidArgumentError('With 0 agents at once nothing would ever run. Give 1 to 256.')
  if (value === undefined || value > 256) throw new InvalidArgumentError('Give a whole number from 1 to 256.')
  return value
}

/** Agents in the whole run, at least 1. */
export function parseMaxAgents(text: string): number {
  const value = parseWhole(text)
  if (value === 0) throw new InvalidArgumentError('A cap of 0 agents would refuse every agent. Give at least 1.')
  if (value === undefined) throw new InvalidArgumentError('Give a whole number, at least 1.')
  return value
}

export function parseSeed(text: string): number {
  const value = parseWhole(text)
  if (value === undefined) throw new InvalidArgumentError('Give a whole number, 0 or more.')
  return value
}

/** `0.2` or `20%` → 0.2. */
export function parseRate(text: string): number {
  const match = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(text.trim())
  const value = match ? Number(match[1]) / (match[2] === '%' ? 100 : 1) : Number.NaN
  if (!(value >= 0 && value <= 1))
    throw new InvalidArgumentError('Give a share from 0 to 1, or a percentage: 0.2, 20%.')
  return value
}

/** A TCP port; 0 takes any free one. */
export function parsePort(text: string): number {
  const value = parseWhole(text)
  if (value === undefined || value > 65_535) {
    throw new InvalidArgumentError('Give a port from 1 to 65535, or 0 for any free one.')
  }
  return value
}

/** How many lines of a list, 1 to 1000. */
export function parseLimit(text: string): number {
  const value = parseWhole(text)
  if (value === undefined || value < 1 || value > 1000) {
    throw new InvalidArgumentError('Give a whole number from 1 to 1000.')
  }
  return value
}

/** An agent's number in its run, from 1, as `weft show --json` has it; a `#` in front is taken as said. */
export function parseAgentNumber(text: string): number {
  const value = parseWhole(text.replace(/^#/, ''))
  if (value === undefined || value < 1) {
    throw new InvalidArgumentError('Give the number of an agent, from 1 (weft show --json has them).')
  }
  return value
}
