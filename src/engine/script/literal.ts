// Reads a value from a pure literal in the syntax tree, and names what is none. Nothing of the script is evaluated.

import type { JsonValue } from '../../shared/index.ts'
import { propertyName, type AnyNode } from './syntax-tree.ts'

/** Deeper than any meta or schema is meant to be; keeps the reader's own recursion small. */
const MAX_DEPTH = 64

export interface LiteralProblem {
  node: AnyNode
  /** The construct's name, e.g. "a call of `repeat()`". */
  construct: string
  tooDeep?: true
}

export interface LiteralPlace {
  /** The property's name, where the value is a property's. */
  key?: AnyNode
  value: AnyNode
}

export interface Literal {
  value: JsonValue
  problems: LiteralProblem[]
  /** JSON pointer to the place of each value. */
  places: Map<string, LiteralPlace>
  /** Properties that are written twice: the last one counts, as in JavaScript. */
  duplicates: { node: AnyNode; name: string }[]
}

/** `lookUp` may give the literal that an identifier stands for; without it every identifier is a problem. */
export function readLiteral(node: AnyNode, lookUp?: (name: AnyNode) => AnyNode | undefined): Literal {
  const reader = new Reader(lookUp)
  const value = reader.read(node, '', 0)
  return { value, problems: reader.problems, places: reader.places, duplicates: reader.duplicates }
}

export function escapePointer(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1')
}

class Reader {
  readonly problems: LiteralProblem[] = []
  readonly places = new Map<string, LiteralPlace>()
  readonly duplicates: { node: AnyNode; name: string }[] = []
  readonly #lookUp: ((name: AnyNode) => AnyNode | undefined) | undefined

  constructor(lookUp: ((name: AnyNode) => AnyNode | undefined) | undefined) {
    this.#lookUp = lookUp
  }

  read(node: AnyNode, path: string, depth: number): JsonValue {
    if (!this.places.has(path)) this.places.set(path, { value: node })
    if (depth > MAX_DEPTH) {
      this.problems.push({ node, construct: `a value nested deeper than ${MAX_DEPTH} levels`, tooDeep: true })
      return null
    }
    switch (node.type) {
      case 'Literal':
        return this.#readPrimitive(node)
      case 'TemplateLiteral':
        if (node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? ''
        return this.#refuse(node)
      case 'UnaryExpression':
        if (node.operator === '-' && node.argument.type === 'Literal' && typeof node.argument.value === 'number') {
          return -node.argument.value
        }
        return this.#refuse(node)
      case 'ArrayExpression':
        return node.elements.map((element, index) =>
          element === null
            ? this.#refuse(node, 'an array with a hole')
            : this.read(element, `${path}/${index}`, depth + 1),
        )
      case 'ObjectExpression':
        return this.#readObject(node, path, depth)
      case 'Identifier': {
        const target = this.#lookUp?.(node)
        return target === undefined ? this.#refuse(node) : this.read(target, path, depth + 1)
      }
      default:
        return this.#refuse(node)
    }
  }

  #readPrimitive(node: AnyNode & { type: 'Literal' }): JsonValue {
    const { value } = node
    if (typeof value === 'string' || typeof value === 'boolean') return value
    // `1e999` is Infinity, which JSON does not know.
    if (typeof value === 'number' && Number.isFinite(value)) return value
    if (value === null && node.raw === 'null') return null
    return this.#refuse(node)
  }

  #readObject(node: AnyNode & { type: 'ObjectExpression' }, path: string, depth: number): JsonValue {
    const object: { [key: string]: JsonValue } = {}
    for (const property of node.properties) {
      const construct = impureProperty(property)
      if (construct !== undefined || property.type !== 'Property') {
        this.#refuse(property, construct)
        continue
      }
      const name = propertyName(property) ?? ''
      if (Object.hasOwn(object, name)) this.duplicates.push({ node: property.key, name })
      const place = `${path}/${escapePointer(name)}`
      this.places.set(place, { key: property.key, value: property.value })
      object[name] = this.read(property.value, place, depth + 1)
    }
    return object
  }

  #refuse(node: AnyNode, construct = describeConstruct(node)): null {
    this.problems.push({ node, construct })
    return null
  }
}

function impureProperty(property: AnyNode): string | undefined {
  if (property.type !== 'Property') return describeConstruct(property)
  if (property.computed) return 'a computed key'
  const name = propertyName(property) ?? ''
  if (property.kind === 'get') return `a getter \`${name}\``
  if (property.kind === 'set') return `a setter \`${name}\``
  if (property.method) return `a method \`${name}\``
  if (name === '__proto__') return 'the key `__proto__`'
  // `{ name }` reads a variable; the message should say which.
  if (property.shorthand) return `the identifier \`${name}\` (a shorthand property)`
  return undefined
}

const CONSTRUCTS: { readonly [type: string]: string } = {
  SpreadElement: 'a spread (`...`)',
  ArrowFunctionExpression: 'a function',
  FunctionExpression: 'a function',
  ClassExpression: 'a class',
  ConditionalExpression: 'a conditional (`? :`)',
  AwaitExpression: '`await`',
  YieldExpression: '`yield`',
  SequenceExpression: 'a comma expression',
  AssignmentExpression: 'an assignment',
  UpdateExpression: 'an update (`++` or `--`)',
  ThisExpression: '`this`',
  MemberExpression: 'a property access',
  ChainExpression: 'a property access',
  ImportExpression: '`import()`',
  MetaProperty: '`import.meta`',
  NewExpression: 'a call with `new`',
  TaggedTemplateExpression: 'a tagged template',
  TemplateLiteral: 'a template literal with `${…}`',
}

/** What a construct is called in messages, with its article. */
export function describeConstruct(node: AnyNode): string {
  switch (node.type) {
    case 'Identifier':
      return `the identifier \`${node.name}\``
    case 'CallExpression': {
      const { callee } = node
      if (callee.type === 'Identifier') return `a call of \`${callee.name}()\``
      if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && !callee.computed) {
        return `a call of \`.${callee.property.name}()\``
      }
      return 'a call'
    }
    case 'BinaryExpression':
      return node.operator === '+' ? 'a concatenation (`+`)' : `the operator \`${node.operator}\``
    case 'LogicalExpression':
    case 'UnaryExpression':
      return `the operator \`${node.operator}\``
    case 'Literal':
      if (typeof node.bigint === 'string') return 'a BigInt'
      if (node.regex) return 'a regular expression'
      return 'a number that is not finite'
    default:
      return CONSTRUCTS[node.type] ?? `a ${node.type}`
  }
}
