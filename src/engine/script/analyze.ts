// A script's text to everything that is known of it before it runs: meta, findings, and the code for the sandbox.
// Pure and synchronous; the checker's worker runs it under a time limit.

import { createHash } from 'node:crypto'
import { asScriptHash, type Diagnostic, type WorkflowMeta } from '../../shared/index.ts'
import type { PreparedScript } from '../engine.ts'
import type { ScriptText } from '../ports.ts'
import { findHiddenCharacters } from './hidden-characters.ts'
import { findHookCalls, type HookCall } from './hook-calls.ts'
import { ALL_LINTS } from './lints/all-lints.ts'
import type { SchemaJudge } from './lints/context.ts'
import { mentionsMeta, notAWorkflow, readMeta } from './meta.ts'
import { parseScript } from './parse.ts'
import { isRefusal } from './refusal.ts'
import { findRefusals } from './refusals.ts'
import { rewriteForSandbox } from './rewrite.ts'
import { findRuntimeSyntaxError } from './runtime-syntax.ts'
import { analyzeScopes } from './scopes.ts'
import { SourceText, toDiagnostic, type Finding } from './source-text.ts'
import { stripTypes } from './strip-types.ts'
import { explainSyntaxError, tooDeep } from './syntax-errors.ts'
import type { SyntaxTree } from './syntax-tree.ts'

/** Far above any script that a person or model writes; what is larger is data in the wrong place. */
const MAX_LENGTH = 1_000_000
const MAX_FINDINGS = 1000

export interface AnalyzeOptions {
  /** Names that `workflow()` may call; without them such calls are not looked at. */
  workflows?: readonly string[]
  /** Compiles the schemas that the script writes out. */
  judgeSchema?: SchemaJudge
}

export interface Analysis {
  meta: WorkflowMeta | null
  /** In the order of their places. */
  diagnostics: Diagnostic[]
  /** Absent when the script can't run: some finding other than a lint is an error. */
  prepared?: PreparedScript
}

/** Never throws for what a script is. */
export function analyzeScript(script: ScriptText, options: AnalyzeOptions = {}): Analysis {
  const source = SourceText.ofFile(script.text, script.fileName)
  const findings: Finding[] = []
  let meta: WorkflowMeta | null = null
  let prepared: Omit<PreparedScript, 'diagnostics'> | undefined
  try {
    const outcome =
      source.text.length > MAX_LENGTH ? tooLarge(source, findings) : examine(script, source, options, findings)
    meta = outcome.meta
    prepared = outcome.prepared
  } catch (error) {
    // The passes over the tree don't recurse, but what a script nests within a literal or a test they follow down.
    if (!(error instanceof RangeError)) throw error
    findings.push(tooDeep(source, 0))
  }
  const diagnostics = mostTelling(findings)
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map((finding) => toDiagnostic(source, finding))
  return { meta, diagnostics, ...(prepared && { prepared: { ...prepared, diagnostics } }) }
}

/** What keeps the script from running comes first when there is more than anyone will read. */
function mostTelling(findings: Finding[]): Finding[] {
  if (findings.length <= MAX_FINDINGS) return findings
  return [...findings.filter(isRefusal), ...findings.filter((finding) => !isRefusal(finding))].slice(0, MAX_FINDINGS)
}

function tooLarge(source: SourceText, findings: Finding[]): Outcome {
  findings.push({
    severity: 'error',
    code: 'parse/too-large',
    message: `the script is too large: ${source.text.length.toLocaleString('en-US')} characters of at most ${MAX_LENGTH.toLocaleString('en-US')}`,
    hint: 'pass data in `args`, or have an agent read it',
    start: 0,
    end: 0,
  })
  return { meta: null }
}

interface Outcome {
  meta: WorkflowMeta | null
  prepared?: Omit<PreparedScript, 'diagnostics'>
}

function examine(script: ScriptText, source: SourceText, options: AnalyzeOptions, findings: Finding[]): Outcome {
  findings.push(...findHiddenCharacters(source.text))
  const tree = parse(script, source, findings)
  if (tree === undefined) return { meta: null }
  const reading = readMeta(tree, script.fileName, script.meta)
  findings.push(...reading.findings)
  // A helper file is no workflow: what else it may not contain is beside the point.
  if (reading.findings.some(({ code }) => code === 'meta/missing')) return { meta: null }
  const scopes = analyzeScopes(tree)
  findings.push(...findRefusals(tree, scopes, reading.statement))
  const calls = findHookCalls(tree, scopes)
  for (const lint of ALL_LINTS) {
    lint({
      source,
      tree,
      scopes,
      calls,
      reading,
      meta: reading.meta,
      workflows: options.workflows,
      judgeSchema: options.judgeSchema,
      report: (finding) => findings.push(finding),
    })
  }
  if (reading.meta === null || findings.some(isRefusal)) return { meta: reading.meta }
  const stripped = new SourceText(tree.text, script.fileName)
  const { code, positions } = rewriteForSandbox({ source: stripped, tree, scopes, metaStatement: reading.statement })
  const rejected = findRuntimeSyntaxError(source, code, positions)
  if (rejected !== undefined) {
    findings.push(rejected)
    return { meta: reading.meta }
  }
  const hash = asScriptHash(createHash('sha256').update(script.text).digest('hex'))
  const prepared = { meta: reading.meta, hash, source: script, code, positions, callSites: callSites(source, calls) }
  return { meta: reading.meta, prepared }
}

/** `text` is what was parsed: the source, with types blanked in a TypeScript file. */
function parse(
  script: ScriptText,
  source: SourceText,
  findings: Finding[],
): (SyntaxTree & { text: string }) | undefined {
  const isTypeScript = /\.[cm]?ts$/i.test(script.fileName)
  const stripped = isTypeScript ? stripTypes(source.text) : undefined
  if (stripped?.ok && stripped.refused.length > 0) {
    findings.push(...stripped.refused)
    return undefined
  }
  const text = stripped?.ok ? stripped.text : source.text
  const parsed = stripped?.ok === false ? stripped : parseScript(text)
  if (parsed.ok) return { ...parsed.tree, text }
  // The author of a helper file that is no workflow learns that first.
  if (script.meta === undefined && !mentionsMeta(source.text)) findings.push(notAWorkflow(script.fileName, 0, 0))
  findings.push(explainSyntaxError(source, parsed.failure, isTypeScript))
  return undefined
}

function callSites(source: SourceText, calls: readonly HookCall[]): PreparedScript['callSites'] {
  const sites: PreparedScript['callSites'][number][] = []
  for (const { hook, node } of calls) {
    if (hook === 'agent' || hook === 'workflow') sites.push({ ...source.range(node.start, node.end), hook })
  }
  return sites
}
