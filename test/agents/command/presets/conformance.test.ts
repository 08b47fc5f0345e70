import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { COMMAND_PRESETS, type CommandPresetName } from '../../../../src/agents/command/presets/preset-backend.ts'
import type { Usage } from '../../../../src/shared/index.ts'
import { describeConformance, type Shown } from '../../conformance.ts'
import { fakePreset } from './event-streams.ts'

const root = mkdtempSync(join(tmpdir(), 'weft-presets-'))
afterAll(() => {
  rmSync(root, { recursive: true, force: true })
})

/** What a CLI's events have no place for. */
const UNTOLD: Record<CommandPresetName, { usage: (keyof Usage)[]; tool: ('title' | 'input')[] }> = {
  claude: { usage: ['reasoningTokens'], tool: ['title'] },
  codex: { usage: ['costUsd'], tool: ['title'] },
  gemini: { usage: ['reasoningTokens', 'costUsd'], tool: ['title'] },
  opencode: { usage: [], tool: [] },
  qwen: { usage: ['reasoningTokens', 'costUsd'], tool: ['title'] },
}

for (const name of Object.keys(COMMAND_PRESETS) as CommandPresetName[]) {
  const { usage, tool } = UNTOLD[name]
  describeConformance({
    name: `command, preset ${name}`,
    make: (behaviour) => fakePreset(name, behaviour, root),
    tells: (told) => without(told, usage),
    shows: (shown) => (shown.kind === 'tool' ? fit(name, without(shown, tool)) : shown),
  })
}

function without<T extends object>(whole: T, names: readonly string[]): T {
  // The rest of an object is of its own type, but for optional fields.
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name))) as T
}

/** opencode tells a tool's input again with its output, codex says null for none. */
function fit(name: CommandPresetName, shown: Shown): Shown {
  if (shown.kind !== 'tool' || shown.input !== undefined) return shown
  if (name === 'opencode') return { ...shown, input: {} }
  return name === 'codex' ? { ...shown, input: null } : shown
}
