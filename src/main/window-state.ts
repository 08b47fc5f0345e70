// Remembers which folders were open and where their windows stood.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

export interface WindowState {
  workspace: string
  bounds: Bounds
  maximized: boolean
}

const MIN_WIDTH = 640
const MIN_HEIGHT = 400
const DEFAULT_WIDTH = 1280
const DEFAULT_HEIGHT = 800
/** How much of a window has to be on some screen for it to be found and moved. */
const GRIP = 100

/** What was written last; nothing from a file that is missing or not ours. */
export function readWindowStates(file: string): WindowState[] {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Array.isArray(value) ? value.filter(isWindowState) : []
  } catch {
    return []
  }
}

/** Replaces the file in one step. A failure is thrown. */
export function writeWindowStates(file: string, states: readonly WindowState[]): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.tmp`, `${JSON.stringify(states, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.tmp`, file)
}

/** Remembered bounds where a screen still shows them, else the middle of the first one. */
export function fitBounds(remembered: Bounds | undefined, workAreas: readonly Bounds[]): Bounds {
  const area = workAreas[0] ?? { x: 0, y: 0, width: DEFAULT_WIDTH, height: DEFAULT_HEIGHT }
  if (remembered !== undefined && workAreas.some((other) => overlap(remembered, other) >= GRIP)) {
    return {
      x: remembered.x,
      y: remembered.y,
      width: Math.max(MIN_WIDTH, remembered.width),
      height: Math.max(MIN_HEIGHT, remembered.height),
    }
  }
  const width = Math.min(DEFAULT_WIDTH, area.width)
  const height = Math.min(DEFAULT_HEIGHT, area.height)
  return {
    x: area.x + Math.round((area.width - width) / 2),
    y: area.y + Math.round((area.height - height) / 2),
    width,
    height,
  }
}

/** The shorter side of what two rectangles share. */
function overlap(a: Bounds, b: Bounds): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return Math.min(width, height)
}

function isWindowState(value: unknown): value is WindowState {
  return (
    isRecord(value) &&
    typeof value['workspace'] === 'string' &&
    value['workspace'] !== '' &&
    typeof value['maximized'] === 'boolean' &&
    isBounds(value['bounds'])
  )
}

function isBounds(value: unknown): value is Bounds {
  return isRecord(value) && ['x', 'y', 'width', 'height'].every((name) => Number.isSafeInteger(value[name]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
