// What a script may not contain: ways to load modules, and exports other than meta. Found in the syntax tree, so that
// a prompt or a comment may talk about them.

import type { Scopes } from './scopes.ts'
import type { Finding } from './source-text.ts'
import type { AnyNode, SyntaxTree } from './syntax-tree.ts'

const NO_MODULES = 'scripts load no modules; have an agent do what needs one'

export function findRefusals(tree: SyntaxTree, scopes: Scopes, metaStatement: AnyNode | undefined): Finding[] {
  const findings: Finding[] = []
  const refuse = (code: string, node: AnyNode, end: number, message: string, hint: string): void => {
    findings.push({ severity: 'error', code, message, hint, start: node.start, end })
  }
  for (const node of tree.nodes) {
    switch (node.type) {
      case 'ImportDeclaration':
        refuse('refused/import', node, node.end, '`import` is refused in a script', NO_MODULES)
        break
      case 'ImportExpression':
        refuse('refused/dynamic-import', node, node.end, '`import()` is refused in a script', NO_MODULES)
        break
      case 'MetaProperty':
        if (node.meta.name !== 'import') break
        refuse('refused/import-meta', node, node.end, '`import.meta` is refused in a script', NO_MODULES)
        break
      case 'CallExpression':
        if (node.callee.type !== 'Identifier' || node.callee.name !== 'require') break
        if (!scopes.isUnresolved(node.callee)) break
        refuse('refused/require', node, node.end, '`require()` is refused in a script', NO_MODULES)
        break
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration':
      case 'ExportAllDeclaration':
        if (node === metaStatement) break
        refuse(
          'refused/export',
          node,
          node.start + 'export'.length,
          'a script exports nothing but `meta`',
          node.type === 'ExportDefaultDeclaration' ? 'end the script with `return value`' : 'drop the word `export`',
        )
        break
      default:
    }
  }
  return findings
}
