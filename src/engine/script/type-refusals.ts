// TypeScript that makes code at run time: it can't be erased, so no script may use it.

import type { BabelNode } from './babel-nodes.ts'
import type { Finding } from './source-text.ts'

export function refusalOf(node: BabelNode, source: string): Finding | undefined {
  const decorators: unknown = node['decorators']
  if (Array.isArray(decorators) && decorators.length > 0) {
    // Babel puts decorator nodes, which have offsets, into this list.
    const first = decorators[0] as BabelNode
    return {
      ...refuse('a decorator', 'call a function instead', first.start, first.end),
      message: 'decorators can’t be used in a script: the JavaScript it runs as has none',
    }
  }
  switch (node.type) {
    case 'TSEnumDeclaration':
      if (node['declare'] === true) return undefined
      return refuse(
        '`enum`',
        "use an object or a union of strings: `'a' | 'b'`",
        node.start,
        headEnd(source, node.start),
      )
    case 'TSModuleDeclaration':
      if (node['declare'] === true) return undefined
      return refuse('`namespace`', 'use plain functions and objects', node.start, headEnd(source, node.start))
    case 'TSParameterProperty':
      return refuse(
        'a parameter property',
        'declare the property and assign it in the constructor',
        node.start,
        node.end,
      )
    case 'TSTypeAssertion':
      return refuse('a type assertion in angle brackets', 'write `expression as Type`', node.start, node.end)
    case 'TSImportEqualsDeclaration':
      if (node['importKind'] === 'type') return undefined
      return refuse('`import … = …`', 'scripts import nothing', node.start, node.end)
    case 'TSExportAssignment':
      return refuse('`export =`', 'a script exports nothing but meta', node.start, node.end)
    default:
      return undefined
  }
}

function refuse(name: string, instead: string, start: number, end: number): Finding {
  return {
    severity: 'error',
    code: 'refused/typescript',
    message: `${name} is TypeScript that can't be erased: only types are taken out of a script`,
    hint: instead,
    start,
    end,
  }
}

/** The end of the line on which a declaration begins, without its opening brace. */
function headEnd(source: string, start: number): number {
  const head = /^[^{\r\n]*/.exec(source.slice(start))?.[0] ?? ''
  return start + Math.max(1, head.trimEnd().length)
}
