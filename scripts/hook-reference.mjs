#!/usr/bin/env node
// Writes docs/guide/hooks.md from types/workflow.d.ts, so that the guide can't drift from what the editor shows.
// `node scripts/hook-reference.mjs` writes it, `--check` only says whether it is up to date (exit 1 when it is not).
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const target = join(root, 'docs/guide/hooks.md')

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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = renderReference(readFileSync(join(root, 'types/workflow.d.ts'), 'utf8'))
  if (!process.argv.includes('--check')) writeFileSync(target, page)
  else if (readFileSync(target, 'utf8') !== page) {
    process.stderr.write('docs/guide/hooks.md is out of date: run node scripts/hook-reference.mjs\n')
    process.exitCode = 1
  }
}
