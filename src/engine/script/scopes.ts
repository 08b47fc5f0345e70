// Which name stands for what: declarations by scope, and the references that no scope of the script answers.
// Own code because this runs at every key stroke, and the general analysers cost ten times as much.

import { isFunction, parentOf, type AnyNode, type SyntaxTree } from './syntax-tree.ts'

export type IdentifierNode = Extract<AnyNode, { type: 'Identifier' }>

interface Variable {
  /** What a `const` with a plain name was initialised with. */
  constInit?: AnyNode
}

interface Scope {
  parent: Scope | undefined
  variables: Map<string, Variable>
  /** Where `var` and function declarations of sloppy scripts would go: functions, static blocks, the script. */
  hoists: boolean
}

export interface Scopes {
  /** References (reads and writes) to names that the script does not declare, in source order. */
  readonly unresolved: readonly IdentifierNode[]
  isUnresolved(node: AnyNode): boolean
  /** Every name that the script declares somewhere. */
  readonly declared: ReadonlySet<string>
  /** The initial value of the `const` that an identifier refers to, if that is what it refers to. */
  constantOf(node: AnyNode): AnyNode | undefined
}

export function analyzeScopes(tree: SyntaxTree): Scopes {
  const analysis = new Analysis()
  for (const node of tree.nodes) analysis.declare(node)
  for (const node of tree.nodes) if (node.type === 'Identifier') analysis.refer(node)
  const unresolved = analysis.unresolved.sort((a, b) => a.start - b.start)
  const set = new Set<AnyNode>(unresolved)
  return {
    unresolved,
    declared: analysis.declared,
    isUnresolved: (node) => set.has(node),
    constantOf: (node) => (node.type === 'Identifier' ? analysis.find(node)?.constInit : undefined),
  }
}

class Analysis {
  readonly unresolved: IdentifierNode[] = []
  readonly declared = new Set<string>()
  /** The scope that a node opens. */
  readonly #opened = new Map<AnyNode, Scope>()
  /** The scope that a node's children are in. */
  readonly #inner = new Map<AnyNode, Scope | undefined>()
  readonly #bindings = new Set<AnyNode>()

  declare(node: AnyNode): void {
    if (opensScope(node)) this.#open(node)
    this.#inner.set(node, this.#opened.get(node) ?? this.#scopeAround(node))
    switch (node.type) {
      case 'VariableDeclaration':
        this.#declareVariables(node)
        return
      case 'FunctionDeclaration':
        this.#bind(node.id, this.#scopeAround(node))
        this.#bindParameters(node)
        return
      case 'FunctionExpression':
        this.#bind(node.id, this.#opened.get(node))
        this.#bindParameters(node)
        return
      case 'ArrowFunctionExpression':
        this.#bindParameters(node)
        return
      case 'ClassDeclaration':
        this.#bind(node.id, this.#scopeAround(node))
        this.#bind(node.id, this.#opened.get(node))
        return
      case 'ClassExpression':
        this.#bind(node.id, this.#opened.get(node))
        return
      case 'CatchClause':
        this.#bindPattern(node.param, this.#opened.get(node))
        return
      case 'ImportSpecifier':
      case 'ImportDefaultSpecifier':
      case 'ImportNamespaceSpecifier':
        this.#bind(node.local, this.#scopeAround(node))
        return
      default:
    }
  }

  refer(node: IdentifierNode): void {
    if (this.#bindings.has(node) || !isReference(node)) return
    if (this.find(node) === undefined) this.unresolved.push(node)
  }

  find(node: IdentifierNode): Variable | undefined {
    for (let scope = this.#scopeAround(node); scope !== undefined; scope = scope.parent) {
      const variable = scope.variables.get(node.name)
      if (variable !== undefined) return variable
    }
    return undefined
  }

  #open(node: AnyNode): void {
    const scope: Scope = {
      parent: this.#scopeAround(node),
      variables: new Map(),
      hoists: isFunction(node) || node.type === 'StaticBlock' || node.type === 'Program',
    }
    if (isFunction(node) && node.type !== 'ArrowFunctionExpression') scope.variables.set('arguments', {})
    this.#opened.set(node, scope)
  }

  #scopeAround(node: AnyNode): Scope | undefined {
    const parent = parentOf(node)
    return parent === undefined ? undefined : this.#inner.get(parent)
  }

  #declareVariables(node: Extract<AnyNode, { type: 'VariableDeclaration' }>): void {
    let scope = this.#scopeAround(node)
    if (node.kind === 'var') while (scope !== undefined && !scope.hoists) scope = scope.parent
    for (const { id, init } of node.declarations) {
      this.#bindPattern(id, scope)
      if (node.kind === 'const' && id.type === 'Identifier' && init) scope?.variables.set(id.name, { constInit: init })
    }
  }

  #bindParameters(node: Extract<AnyNode, { params: unknown }>): void {
    for (const parameter of node.params) this.#bindPattern(parameter, this.#opened.get(node))
  }

  #bindPattern(pattern: AnyNode | null | undefined, scope: Scope | undefined): void {
    switch (pattern?.type) {
      case 'Identifier':
        this.#bind(pattern, scope)
        return
      case 'ObjectPattern':
        for (const property of pattern.properties) {
          this.#bindPattern(property.type === 'RestElement' ? property.argument : property.value, scope)
        }
        return
      case 'ArrayPattern':
        for (const element of pattern.elements) this.#bindPattern(element, scope)
        return
      case 'AssignmentPattern':
        this.#bindPattern(pattern.left, scope)
        return
      case 'RestElement':
        this.#bindPattern(pattern.argument, scope)
        return
      default:
    }
  }

  #bind(id: AnyNode | null | undefined, scope: Scope | undefined): void {
    if (id?.type !== 'Identifier') return
    this.#bindings.add(id)
    this.declared.add(id.name)
    if (!scope?.variables.has(id.name)) scope?.variables.set(id.name, {})
  }
}

function opensScope(node: AnyNode): boolean {
  switch (node.type) {
    case 'Program':
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'ClassDeclaration':
    case 'ClassExpression':
    case 'StaticBlock':
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'SwitchStatement':
    case 'CatchClause':
      return true
    case 'BlockStatement':
      // A function's own block shares the scope of its parameters.
      return !isFunction(parentOf(node))
    default:
      return false
  }
}

/** False for identifiers that are names of properties, labels and the like. */
function isReference(node: IdentifierNode): boolean {
  const parent = parentOf(node)
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.property !== node || parent.computed
    case 'Property':
      return parent.key !== node || parent.computed
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return parent.key !== node || parent.computed
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
    case 'ImportSpecifier':
    case 'ImportAttribute':
    case 'ExportSpecifier':
    case 'ExportAllDeclaration':
      return false
    default:
      return true
  }
}

/** True where an undeclared name may be read without an error: `typeof name`. */
export function isTypeofOperand(node: AnyNode): boolean {
  const parent = parentOf(node)
  return parent?.type === 'UnaryExpression' && parent.operator === 'typeof'
}

/** True where a name is written to: `x = 1`, `x++`, `[x] = y`, `for (x of y)`. */
export function isWritten(node: AnyNode): boolean {
  const parent = parentOf(node)
  switch (parent?.type) {
    case 'AssignmentExpression':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'AssignmentPattern':
      return parent.left === node
    case 'UpdateExpression':
    case 'ArrayPattern':
    case 'RestElement':
      return true
    case 'Property':
      return parent.value === node && parentOf(parent)?.type === 'ObjectPattern'
    default:
      return false
  }
}
