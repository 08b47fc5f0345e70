// Finds `export const meta = { … }`, reads it as a literal and checks it: every violation at its own property.

import type { WorkflowMeta } from '../../shared/index.ts'
import { describeConstruct, readLiteral, type Literal } from './literal.ts'
import { checkMeta, type FindPlace } from './meta-check.ts'
import type { CheckedMeta } from './meta-schema.ts'
import type { Finding } from './source-text.ts'
import type { AnyNode, SyntaxTree } from './syntax-tree.ts'

export interface MetaReading {
  meta: WorkflowMeta | null
  findings: Finding[]
  /** The `export` statement that holds meta, where there is one: not an export to be refused. */
  statement?: AnyNode
  /** Where each value of meta stands; empty for meta given as data. */
  literal?: Literal
}

type ExportNode = Extract<AnyNode, { type: 'ExportNamedDeclaration' }>

export function readMeta(tree: SyntaxTree, fileName: string, given: unknown): MetaReading {
  const statement = tree.program.body.find(exportsMeta)
  if (given !== undefined) return readGivenMeta(given, statement)
  if (statement === undefined) return { meta: null, findings: [missingMeta(tree, fileName)] }
  const findings = [...misplaced(tree, statement), ...misdeclared(statement)]
  const init = metaDeclarator(statement)?.init
  if (!init) return { meta: null, findings, statement }
  if (init.type !== 'ObjectExpression') {
    const finding = notLiteral(init, `meta must be an object literal \`{ … }\`, not ${describeConstruct(init)}`)
    if (beginsWithObject(init))
      finding.hint = 'end the statement that exports meta with `;`: the next line goes on with it'
    findings.push(finding)
    return { meta: null, findings, statement }
  }
  const literal = readLiteral(init)
  findings.push(...literalFindings(literal))
  if (findings.some((finding) => finding.severity === 'error')) return { meta: null, findings, statement, literal }
  findings.push(...checkMeta(literal.value, placeIn(literal)))
  const valid = !findings.some((finding) => finding.severity === 'error')
  // checkMeta has just checked the value against the schema of this type.
  return { meta: valid ? (literal.value as unknown as CheckedMeta) : null, findings, statement, literal }
}

/** True for text that says it is a workflow, even when it can't be parsed. */
export function mentionsMeta(text: string): boolean {
  return /\bexport\s+(?:const|let|var)\s+meta\b/.test(text)
}

export function notAWorkflow(fileName: string, start: number, end: number): Finding {
  return {
    severity: 'error',
    code: 'meta/missing',
    message: `${fileName} is not a workflow: it has no \`export const meta = { … }\``,
    hint: "begin the file with `export const meta = { name: '…', description: '…' }`",
    start,
    end,
  }
}

function readGivenMeta(given: unknown, statement: ExportNode | undefined): MetaReading {
  if (statement !== undefined) {
    const finding: Finding = {
      severity: 'error',
      code: 'meta/given-twice',
      message: 'meta was given as data, and the script exports it too',
      hint: 'give it once: drop the `export const meta` statement or the `meta` argument',
      start: statement.start,
      end: statement.start + 'export'.length,
    }
    return { meta: null, findings: [finding], statement }
  }
  const findings = checkMeta(given, () => ({ start: 0, end: 0 }))
  const valid = !findings.some((finding) => finding.severity === 'error')
  // Checked against the schema of this type a line above.
  return { meta: valid ? (given as CheckedMeta) : null, findings }
}

function exportsMeta(node: AnyNode): node is ExportNode {
  return (
    node.type === 'ExportNamedDeclaration' &&
    node.declaration?.type === 'VariableDeclaration' &&
    node.declaration.declarations.some(({ id }) => id.type === 'Identifier' && id.name === 'meta')
  )
}

function metaDeclarator(statement: ExportNode): Extract<AnyNode, { type: 'VariableDeclarator' }> | undefined {
  if (statement.declaration?.type !== 'VariableDeclaration') return undefined
  return statement.declaration.declarations.find(({ id }) => id.type === 'Identifier' && id.name === 'meta')
}

function missingMeta(tree: SyntaxTree, fileName: string): Finding {
  for (const node of tree.program.body) {
    if (node.type !== 'VariableDeclaration') continue
    const declarator = node.declarations.find(({ id }) => id.type === 'Identifier' && id.name === 'meta')
    if (declarator === undefined) continue
    return {
      ...notAWorkflow(fileName, node.start, declarator.id.end),
      hint: 'meta is declared but not exported: write `export const meta = { … }`',
      fix: { title: 'Export meta', start: node.start, end: node.start, text: 'export ' },
    }
  }
  const first = tree.program.body[0]
  return notAWorkflow(fileName, first?.start ?? 0, first ? Math.min(first.end, first.start + 1) : 0)
}

/** Only directives and empty statements (what erased types leave behind) may stand before meta. */
function misplaced(tree: SyntaxTree, statement: ExportNode): Finding[] {
  const first = tree.program.body.find(
    (node) => node.type !== 'EmptyStatement' && !(node.type === 'ExpressionStatement' && 'directive' in node),
  )
  if (first === undefined || first === statement) return []
  return [
    {
      severity: 'error',
      code: 'meta/not-first',
      message: '`export const meta` must be the first statement of the script',
      hint: 'move it above everything but comments',
      start: statement.start,
      end: statement.start + 'export'.length,
    },
  ]
}

function misdeclared(statement: ExportNode): Finding[] {
  const declaration = statement.declaration
  if (declaration?.type !== 'VariableDeclaration') return []
  const findings: Finding[] = []
  const { start, kind, declarations } = declaration
  if (kind !== 'const') {
    findings.push({
      severity: 'error',
      code: 'meta/declaration',
      message: `meta must be declared with \`const\`, not \`${kind}\``,
      start,
      end: start + kind.length,
      fix: { title: 'Use const', start, end: start + kind.length, text: 'const' },
    })
  }
  const other = declarations.find(({ id }) => !(id.type === 'Identifier' && id.name === 'meta'))
  if (other !== undefined) {
    findings.push({
      severity: 'error',
      code: 'meta/declaration',
      message: 'the statement that exports meta may declare nothing else',
      start: other.start,
      end: other.end,
    })
  }
  const declarator = metaDeclarator(statement)
  if (declarator && !declarator.init) findings.push(notLiteral(declarator, 'meta has no value'))
  return findings
}

/** Without a semicolon, a line that begins with a bracket or a backtick goes on with the object above it. */
function beginsWithObject(node: AnyNode): boolean {
  if (node.type === 'CallExpression') return beginsWithObject(node.callee)
  if (node.type === 'MemberExpression') return beginsWithObject(node.object)
  if (node.type === 'TaggedTemplateExpression') return beginsWithObject(node.tag)
  return node.type === 'ObjectExpression'
}

function notLiteral(node: AnyNode, message: string): Finding {
  return {
    severity: 'error',
    code: 'meta/not-literal',
    message,
    hint: 'meta is read without running the script: write plain values',
    start: node.start,
    end: node.end,
  }
}

function literalFindings(literal: Literal): Finding[] {
  const findings = literal.problems.map((problem): Finding =>
    problem.tooDeep
      ? { ...notLiteral(problem.node, `meta is too deep: it holds ${problem.construct}`), code: 'meta/too-deep' }
      : notLiteral(problem.node, `meta must be a pure literal, but here is ${problem.construct}`),
  )
  for (const { node, name } of literal.duplicates) {
    findings.push({
      severity: 'warning',
      code: 'meta/duplicate-field',
      message: `meta has \`${name}\` twice; the last one counts`,
      start: node.start,
      end: node.end,
    })
  }
  return findings
}

function placeIn(literal: Literal): FindPlace {
  return (path, part) => {
    const place = literal.places.get(path) ?? literal.places.get('')
    const node = part === 'key' ? (place?.key ?? place?.value) : place?.value
    return { start: node?.start ?? 0, end: node?.end ?? 0 }
  }
}
