// Phase titles in the code and in meta: those that one side has and the other lacks.

import { nearestName, toPreview } from '../../../shared/index.ts'
import { propertyName, staticString, type AnyNode } from '../syntax-tree.ts'
import type { Finding } from '../source-text.ts'
import { over, type Lint, type LintContext } from './context.ts'

export const lintPhases: Lint = (context) => {
  const titles = context.meta?.phases?.map(({ title }) => title)
  const uses = phaseUses(context)
  for (const { node, hint } of uses.wrong) {
    context.report(
      over(node, false, 'phase-title', 'the title of a phase must be a string that is not empty', { hint }),
    )
  }
  // A script that announces no phases may name them as it goes.
  if (titles === undefined || titles.length === 0) return
  for (const { node, title } of uses.named) {
    if (titles.includes(title)) continue
    const near = nearestName(title, titles)
    const message = `the phase \`${toPreview(title, 60)}\` is not in meta.phases`
    const hint = near === undefined ? 'add it to meta.phases' : `did you mean \`${near}\`?`
    const fix =
      near === undefined
        ? addToMeta(context, title)
        : { title: `Change to '${near}'`, start: node.start, end: node.end, text: quote(near) }
    context.report(over(node, false, 'phase-not-in-meta', message, { hint, fix }))
  }
  if (!uses.dynamic) reportUnused(context, titles, new Set(uses.named.map(({ title }) => title)))
}

interface PhaseUses {
  named: { node: AnyNode; title: string }[]
  wrong: { node: AnyNode; hint?: string }[]
  /** Some title is known at run time alone. */
  dynamic: boolean
}

function phaseUses(context: LintContext): PhaseUses {
  const uses: PhaseUses = { named: [], wrong: [], dynamic: false }
  const add = (node: AnyNode | undefined, isCall: boolean): void => {
    const constant = node && context.scopes.constantOf(node)
    const title = staticString(node) ?? staticString(constant)
    if (node === undefined || title === undefined) uses.dynamic = true
    else if (title.trim() !== '') uses.named.push({ node, title })
    // An empty option is the business of the lint for options.
    else if (isCall) uses.wrong.push({ node })
  }
  for (const { hook, node } of context.calls) {
    if (hook === 'phase') {
      if (node.arguments.length === 0) uses.wrong.push({ node, hint: "phase('Title')" })
      else add(node.arguments[0], true)
    }
    if (hook !== 'agent') continue
    const options = node.arguments[1]
    const object = options?.type === 'Identifier' ? context.scopes.constantOf(options) : options
    if (object === undefined) uses.dynamic ||= options !== undefined
    else if (object.type !== 'ObjectExpression') uses.dynamic = true
    else {
      for (const property of object.properties) {
        if (property.type === 'SpreadElement') uses.dynamic = true
        else if (propertyName(property) === 'phase') add(property.value, false)
      }
    }
  }
  return uses
}

function reportUnused(context: LintContext, titles: readonly string[], used: ReadonlySet<string>): void {
  titles.forEach((title, index) => {
    if (used.has(title)) return
    const place = context.reading.literal?.places.get(`/phases/${index}/title`)
    if (place === undefined) return
    const message = `no \`phase()\` call begins the phase \`${toPreview(title, 60)}\``
    context.report(over(place.value, false, 'phase-not-used', message))
  })
}

function addToMeta(context: LintContext, title: string): Finding['fix'] {
  const list = context.reading.literal?.places.get('/phases')?.value
  if (list?.type !== 'ArrayExpression') return undefined
  const last = list.elements.at(-1)
  if (!last) return undefined
  const text = `, { title: ${quote(title)} }`
  return { title: 'Add the phase to meta', start: last.end, end: last.end, text }
}

function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
