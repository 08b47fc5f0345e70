// Puts facts into the shape that was asked for: text without a schema, else a value whose fields are filled by their names.
// What the facts do not say is left empty ("", 0, []), never made up.

// Names that people give to the same thing, by fact.
const NAMES = {
  file: /^(file|path|filename|filepath|location|module)$/i,
  line: /^(line|lineno|linenumber|startline|row)$/i,
  quote: /^(quote|quoted|code|snippet|excerpt|evidence|text|content)$/i,
  problem: /^(problem|summary|title|description|message|issue|finding|claim|bug|what|name)$/i,
  severity: /^(severity|priority|level|impact|risk)$/i,
  source: /^(source|reference|url|where)$/i,
  trigger: /^(trigger|input|repro|reproduction|how)$/i,
  real: /^(real|isreal|valid|confirmed|holds|bug|isbug|true|verdict|result|ok|agree|refuted|correct)$/i,
  reason: /^(reason|why|note|notes|explanation|justification|rationale|comment|details?)$/i,
  count: /^(count|number|total|lines|amount|n)$/i,
  angle: /^(angle|category|kind|type|tag)$/i,
}
const NEGATIVE = /^(refuted|invalid|falsepositive|false_positive)$/i

/** Facts: `{text}` always; `items` (list of facts), `strings`, `real` + `reason`, `count` as the task gave them. */
export function toAnswer(facts, schema) {
  return schema === undefined ? facts.text : fill(schema, facts, schema, '')
}

function fill(schema, facts, root, name) {
  if (schema === true || schema === undefined) return facts.text ?? null
  const node = resolve(schema, root)
  if (node.const !== undefined) return node.const
  if (node.enum) return choose(node.enum, facts, name)
  const type =
    [node.type].flat().find((one) => one !== 'null') ?? (node.properties ? 'object' : node.items ? 'array' : undefined)
  switch (type) {
    case 'object':
      return fillObject(node, facts, root)
    case 'array':
      return fillArray(node, facts, root, name)
    case 'boolean':
      return facts.real === undefined ? false : NEGATIVE.test(name) ? !facts.real : facts.real
    case 'integer':
    case 'number':
      return atLeast(Number(factNamed(name, facts) ?? facts.count ?? 0), node)
    case 'null':
      return null
    case 'string':
      return String(factNamed(name, facts) ?? (name === '' ? facts.text : ''))
    default:
      return factNamed(name, facts) ?? facts.text ?? null
  }
}

function resolve(schema, root) {
  if (typeof schema.$ref === 'string' && schema.$ref.startsWith('#/')) {
    const target = schema.$ref
      .slice(2)
      .split('/')
      .reduce((node, key) => node?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], root)
    return resolve(target ?? {}, root)
  }
  const choice = (schema.anyOf ?? schema.oneOf)?.find((one) => one.type !== 'null')
  if (choice) return resolve(choice, root)
  return schema.allOf ? Object.assign({}, schema, ...schema.allOf.map((one) => resolve(one, root))) : schema
}

function fillObject(node, facts, root) {
  const required = new Set(node.required ?? [])
  const value = {}
  for (const [name, schema] of Object.entries(node.properties ?? {})) {
    // An optional field is filled only by a fact of its own.
    if (required.has(name) || factNamed(name, facts) !== undefined) value[name] = fill(schema, facts, root, name)
  }
  for (const name of required) if (!(name in value)) value[name] = factNamed(name, facts) ?? ''
  return value
}

function fillArray(node, facts, root, name) {
  const item = resolve(node.items === undefined || node.items === true ? {} : node.items, root)
  if (item.type === 'object' || item.properties) {
    const items = (facts.items ?? []).map((one) => fill(item, one, root, ''))
    return items.slice(0, node.maxItems)
  }
  const strings = facts.strings ?? facts.items?.map((one) => one.text) ?? factNamed(name, facts)?.split?.('\n') ?? []
  const wanted = strings.length === 0 && (node.minItems ?? 0) > 0 ? [facts.text] : strings
  return wanted.slice(0, node.maxItems)
}

function factNamed(name, facts) {
  for (const [fact, pattern] of Object.entries(NAMES))
    if (pattern.test(name) && facts[fact] !== undefined) return facts[fact]
  return facts[name]
}

// A word of an enumeration: the fact's own where it is allowed, else the one that says yes or no.
function choose(values, facts, name) {
  const fact = factNamed(name, facts)
  if (values.includes(fact)) return fact
  if (facts.real !== undefined) {
    const yes = /^(yes|true|real|confirmed|valid|holds|agree|supported)$/i
    const no = /^(no|false|refuted|contradicted|invalid|disagree|not.?real|unsupported|rejected)$/i
    const unsure = /not.?found|unsure|unknown|unclear/i
    const wanted = facts.missing && values.some((value) => unsure.test(value)) ? unsure : facts.real ? yes : no
    const word = values.find((value) => typeof value === 'string' && wanted.test(value))
    if (word !== undefined) return word
  }
  // The end of a scale: nothing is known to be grave.
  return values.at(-1)
}

function atLeast(number, { minimum = -Infinity, maximum = Infinity }) {
  return Math.min(maximum, Math.max(minimum, Number.isFinite(number) ? number : 0))
}
