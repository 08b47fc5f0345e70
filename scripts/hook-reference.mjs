#!/usr/bin/env node
// Writes docs/guide/hooks.md and the hooks' part of the tool's description (src/tools/manifest/hook-contract.ts) from
// types/workflow.d.ts, so that neither guide nor harness is told anything else than the editor shows.
// `node scripts/hook-reference.mjs` writes them, `--check` only says whether they are up to date (exit 1 when they are not).
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const targets = [
  { name: 'docs/guide/hooks.md', render: renderReference },
  { name: 'src/tools/manifest/hook-contract.ts', render: renderContract },
]

/** Documented declarations in their order: `{ doc, code }`, the code of overloads together. */
export function readDeclarations(source) {
  const blocks = source.split(/\n(?=\/\*\*)/)
  return blocks
    .map((block) => /^\/\*\*([\s\S]*?)\*\/\n([\s\S]*)$/.exec(block.trim()))
    .filter((match) => match !== null)
    .map(([, doc, code]) => ({ doc: cleanDoc(doc), code: code.trim() }))
}

function cleanDoc(doc) {
  return doc
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, ''))
    .join('\n')
    .trim()
    .replace(/\{@link (\w+)\}/g, '`$1`')
}

/** The page: a heading, the text, the examples and the declaration of each hook, then the shapes they use. */
export function renderReference(source) {
  const declarations = readDeclarations(source)
  const hooks = declarations.filter(({ code }) => code.startsWith('declare '))
  const shapes = declarations.filter(({ code }) => /^interface (WorkflowMeta|AgentOptions|WorkflowError)/.test(code))
  const nameOf = (code) => /^(?:declare )?(?:function|const|interface) (\w+)/.exec(code)?.[1] ?? ''
  const section = ({ doc, code }) => {
    const [text, ...examples] = doc.split(/^@example\n/m)
    const shown = examples.map((example) => `\`\`\`js\n${example.trim()}\n\`\`\``)
    return [`## \`${nameOf(code)}\``, text.trim(), ...shown, `\`\`\`ts\n${code}\n\`\`\``].join('\n\n')
  }
  return [
    '# Hooks',
    'Written from `types/workflow.d.ts` by `node scripts/hook-reference.mjs`: change it there. How the hooks are used together is in [Writing workflows](writing-workflows.md).',
    ...hooks.map(section),
    ...shapes.map(section),
    '',
  ].join('\n\n')
}

/** Names that no script writes: helpers of the types. */
const INTERNAL = /^type (?:FromSchema|Schema\w+|PipelineStage)\b/

/** The hooks as one text for a model: each declaration after its comment, without helper types and examples. */
export function contractText(source) {
  return readDeclarations(source)
    .map(({ doc, code }) => {
      const shown = code.split(/\n(?=type )/).filter((part) => !INTERNAL.test(part))
      const words =
        doc
          .split(/^@example\n/m)[0]
          ?.trim()
          .replace(/\n\n/g, '\n')
          .split('\n') ?? []
      return shown.length === 0 ? '' : [...words.map((line) => `// ${line}`), ...shown].join('\n').trim()
    })
    .filter((block) => /^(?:declare |interface |type )/m.test(block))
    .join('\n\n')
}

/** The module that carries that text: generated, as the sandboxed parts of the product read no files. */
export function renderContract(source) {
  const lines = contractText(source).split('\n').map(quote)
  return [
    '// Written from types/workflow.d.ts by `node scripts/hook-reference.mjs`: change it there.',
    '',
    '/** The hooks of a script, as declarations with their comments. */',
    'export const HOOK_CONTRACT = [',
    ...lines.map((line) => `  ${line},`),
    "].join('\\n')",
    '',
  ].join('\n')
}

/** A string literal as the formatter writes it: the quote that needs fewer escapes, single ones if equal. */
function quote(line) {
  const mark = line.split("'").length > line.split('"').length ? '"' : "'"
  return `${mark}${line.replace(/\\/g, '\\\\').replaceAll(mark, `\\${mark}`)}${mark}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const source = readFileSync(join(root, 'types/workflow.d.ts'), 'utf8')
  for (const { name, render } of targets) {
    const file = join(root, name)
    const text = render(source)
    if (!process.argv.includes('--check')) writeFileSync(file, text)
    else if (readFileSync(file, 'utf8') !== text) {
      process.stderr.write(`${name} is out of date: run node scripts/hook-reference.mjs\n`)
      process.exitCode = 1
    }
  }
}
