import { describe, expect, it } from 'vitest'
import type { EngineOptions, StartRunOptions } from '../../../../src/engine/index.ts'
import { readSettings } from '../../../../src/engine/run/settings.ts'
import { Settings } from '../../../../src/host/settings/schema.ts'
import {
  SETTINGS_SECTIONS,
  valueAt,
  violationsOf,
  withValue,
} from '../../../../src/renderer/state/settings/settings-fields.ts'
import { DEFAULT_TOOL_NAME } from '../../../../src/tools/manifest/server-info.ts'
import { STANDARD_LENGTHS } from '../../../../src/tools/server/tool-session.ts'

describe('the settings form', () => {
  it('has a field for every setting there is', () => {
    const shown = SETTINGS_SECTIONS.flatMap(({ fields }) => fields.map(({ path }) => path.join('.')))
    const known = Object.entries(Settings.properties).flatMap(([name, schema]) =>
      'properties' in schema ? Object.keys(schema.properties).map((inner) => `${name}.${inner}`) : [name],
    )
    // Those two have the editor of back ends.
    expect([...shown, 'backends', 'defaultBackend'].sort()).toEqual(known.sort())
  })

  it('names the standards that are really taken', () => {
    const shown = SETTINGS_SECTIONS.flatMap(({ fields }) => fields).map(({ path: [name], input }) => [
      name,
      input.standard,
    ])
    const { agentRetries, stallSeconds, structuredOutputRetries } = readSettings(
      {} as EngineOptions,
      {} as StartRunOptions,
    )
    const taken = { agentRetries, stallSeconds, structuredOutputRetries, ...STANDARD_LENGTHS }
    expect(Object.fromEntries(shown)).toMatchObject({
      ...Object.fromEntries(Object.entries(taken).map(([name, value]) => [name, value.toLocaleString('en-US')])),
      toolName: DEFAULT_TOOL_NAME,
    })
  })

  it('changes one setting and leaves the others as they are', () => {
    const before = { retention: { maxAgeDays: 3, later: true }, toolName: 'x' }
    expect(withValue(before, ['retention', 'maxAgeDays'], 5)).toEqual({
      retention: { maxAgeDays: 5, later: true },
      toolName: 'x',
    })
    expect(before.retention.maxAgeDays).toBe(3)
  })

  it('takes a setting out with what is empty by that', () => {
    expect(withValue({ retention: { maxAgeDays: 3 }, toolName: 'x' }, ['retention', 'maxAgeDays'], undefined)).toEqual({
      toolName: 'x',
    })
    expect(valueAt({ retention: { maxAgeDays: 3 } }, ['retention', 'maxAgeDays'])).toBe(3)
  })

  it('shows each violation by its own field', () => {
    const violations = [
      'agentRetries must be <= 100, not 200',
      'backends.a.command is missing',
      'agentRetriesX is not known',
    ]
    expect(violationsOf(violations, ['agentRetries'])).toEqual(['must be <= 100, not 200'])
    expect(violationsOf(violations, ['backends', 'a'])).toEqual(['command is missing'])
  })
})
