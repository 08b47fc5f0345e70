// What the type eraser knows of Babel's syntax tree: its nodes, and which of them are types from end to end.

/** What is read of Babel's nodes. */
export interface BabelNode {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

export function isBabelNode(value: unknown): value is BabelNode {
  return (
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value
  )
}

/** A child that the grammar promises; undefined where error recovery left it out. */
export function childOf(node: BabelNode, key: string): BabelNode | undefined {
  const child = node[key]
  return isBabelNode(child) ? child : undefined
}

/** Nodes that are types from end to end, wherever they stand in an expression, a pattern or a class. */
export const TYPE_NODES: ReadonlySet<string> = new Set([
  'TSTypeAnnotation',
  'TSTypeParameterInstantiation',
  'TSTypeParameterDeclaration',
])

/** They may end without a `;`. */
export const ENDED_BY_LINE: ReadonlySet<string> = new Set([
  'ExpressionStatement',
  'VariableDeclaration',
  'ReturnStatement',
  'ThrowStatement',
  'ClassProperty',
  'ClassPrivateProperty',
  'ClassAccessorProperty',
])

/** Statements and class members of which nothing is left at run time. */
export function isTypeStatement(node: BabelNode): boolean {
  switch (node.type) {
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSDeclareFunction':
    case 'TSDeclareMethod':
    case 'TSIndexSignature':
    case 'TSNamespaceExportDeclaration':
      return true
    case 'VariableDeclaration':
    case 'ClassDeclaration':
    case 'TSEnumDeclaration':
    case 'TSModuleDeclaration':
      return node['declare'] === true
    case 'ClassProperty':
    case 'ClassPrivateProperty':
    case 'ClassAccessorProperty':
      return node['declare'] === true || node['abstract'] === true
    case 'ImportDeclaration':
      return node['importKind'] === 'type'
    case 'TSImportEqualsDeclaration':
      return node['importKind'] === 'type'
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportDefaultDeclaration':
      return node['exportKind'] === 'type' || (isBabelNode(node['declaration']) && isTypeStatement(node['declaration']))
    default:
      return false
  }
}
