// Checks meta's value: all violations of its schema, unknown fields, names and phase titles that will confuse.

import type { ErrorObject } from 'ajv'
import { nearestName, toPreview } from '../../shared/index.ts'
import { escapePointer } from './literal.ts'
import { findMetaViolations, META_FIELDS, PHASE_FIELDS } from './meta-schema.ts'
import type { Finding } from './source-text.ts'

/** Where the value at a JSON pointer stands, or the key it stands under. */
export type FindPlace = (path: string, part: 'key' | 'value') => { start: number; end: number }

export function checkMeta(value: unknown, place: FindPlace): Finding[] {
  const findings = findMetaViolations(value).map((error): Finding => {
    const { start, end } = place(error.instancePath, 'value')
    // A missing field is marked at the brace of the object that lacks it, not over the whole object.
    const missing = error.keyword === 'required'
    return {
      severity: 'error',
      code: missing ? 'meta/missing-field' : 'meta/invalid',
      message: describeViolation(error),
      start,
      end: missing ? Math.min(end, start + 1) : end,
    }
  })
  if (typeof value !== 'object' || value === null) return findings
  return [...findings, ...unknownFields(value, place), ...nameFindings(value, place), ...phaseFindings(value, place)]
}

function describeViolation(error: ErrorObject): string {
  const path = `meta${error.instancePath}`
  const given = `not ${toPreview(JSON.stringify(error.data) ?? 'undefined', 60)}`
  switch (error.keyword) {
    case 'required':
      return `${path} lacks \`${String(error.params['missingProperty'])}\``
    case 'pattern':
      return `${path} must not be empty`
    case 'type':
      return `${path} must be ${article(String(error.params['type']))}, ${given}`
    default:
      return `${path} ${error.message ?? 'is wrong'}`
  }
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

function unknownFields(value: object, place: FindPlace): Finding[] {
  const findings: Finding[] = []
  const check = (object: object, path: string, known: readonly string[]): void => {
    for (const name of Object.keys(object)) {
      if (known.includes(name)) continue
      const near = nearestName(name, known)
      findings.push({
        severity: 'warning',
        code: 'meta/unknown-field',
        message: `meta${path} has an unknown field \`${name}\``,
        hint: near === undefined ? `known are ${known.join(', ')}` : `did you mean \`${near}\`?`,
        ...place(`${path}/${escapePointer(name)}`, 'key'),
      })
    }
  }
  check(value, '', META_FIELDS)
  forEachPhase(value, (phase, path) => check(phase, path, PHASE_FIELDS))
  return findings
}

function nameFindings(value: object, place: FindPlace): Finding[] {
  const name: unknown = Reflect.get(value, 'name')
  if (typeof name !== 'string' || !/\S/.test(name) || /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) return []
  return [
    {
      severity: 'warning',
      code: 'meta/name-not-kebab',
      message: `meta.name \`${toPreview(name, 60)}\` is not in kebab-case`,
      hint: 'use lower-case words joined by `-`, e.g. `review-changes`',
      ...place('/name', 'value'),
    },
  ]
}

function phaseFindings(value: object, place: FindPlace): Finding[] {
  const seen = new Set<string>()
  const findings: Finding[] = []
  forEachPhase(value, (phase, path) => {
    const title: unknown = Reflect.get(phase, 'title')
    if (typeof title !== 'string') return
    if (seen.has(title)) {
      findings.push({
        severity: 'warning',
        code: 'meta/duplicate-phase',
        message: `meta.phases has the title \`${toPreview(title, 60)}\` twice`,
        ...place(`${path}/title`, 'value'),
      })
    }
    seen.add(title)
  })
  return findings
}

function forEachPhase(value: object, visit: (phase: object, path: string) => void): void {
  const phases: unknown = Reflect.get(value, 'phases')
  if (!Array.isArray(phases)) return
  phases.forEach((phase: unknown, index) => {
    if (typeof phase === 'object' && phase !== null && !Array.isArray(phase)) visit(phase, `/phases/${index}`)
  })
}
