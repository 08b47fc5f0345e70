// Makes out what a prompt asks for, so that prompts written for models are understood too. The first reading that fits is
// taken; what each of them needs to see in the prompt is said beside it.

const FILE = String.raw`[\w@.-]+(?:/[\w@.-]+)*\.[A-Za-z][A-Za-z0-9]{0,9}`

export function understand(prompt) {
  return (
    directives(prompt) ?? composition(prompt) ?? claim(prompt) ?? gitCommand(prompt) ?? research(prompt) ?? splitting(prompt) ??
    counting(prompt) ?? hunt(prompt) ?? listing(prompt) ?? mentioned(prompt)
  ) // prettier-ignore
}

// A fenced block whose info string is `tasks`, or lines that begin with `DO `: one task a line, see honest-agent.mjs.
function directives(prompt) {
  const block = /```tasks\s*\n([\s\S]*?)```/.exec(prompt)?.[1]
  const lines = block ? block.split('\n') : [...prompt.matchAll(/^DO (.+)$/gm)].map((match) => match[1])
  const tasks = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  return tasks.length > 0 ? { kind: 'directives', tasks } : undefined
}

// "Answer … from these (verified) claims", and a JSON list of claims.
function composition(prompt) {
  if (!/\b(answer|write|summari[sz]e)\b[^\n]*\bclaims?\b/i.test(prompt)) return undefined
  const claims = jsonValues(prompt).find((value) => Array.isArray(value) && value.some((item) => item?.claim))
  return claims && { kind: 'compose', claims }
}

// Somebody's finding is to be checked: a word like "verify" or "refute", and a place, as JSON or as `file:line`.
function claim(prompt) {
  if (
    !/\b(verify|verif|refute|sceptic|skeptic|confirm|reports? a bug|claims? a problem|check one claim|is it real)/i.test(
      prompt,
    )
  ) {
    return undefined
  }
  const given = jsonValues(prompt).map(toPlace).find(Boolean)
  const place = given ?? placeInProse(prompt)
  if (!place) return undefined
  const commands = gitCommands(prompt)
  // The state to look at, where the prompt names another one than the folder's, and the change that the line belongs to.
  const show = commands.find(({ command }) => command === 'show')?.args
  const diff = commands.find(({ command }) => command === 'diff')?.args
  return { kind: 'verify', ...place, ...(show && { show }), ...(diff && { diff }) }
}

// `{file, line}`, or a claim with its `source` at `file:line`; with a source it is the words that count, not a defect.
function toPlace(value) {
  const quote = value?.quote ?? value?.code ?? value?.snippet
  if (typeof value?.file === 'string' && value.line !== undefined)
    return { file: value.file, line: Number(value.line), quote }
  const source = typeof value?.source === 'string' && /^(.+):(\d+)$/.exec(value.source)
  return source ? { file: source[1], line: Number(source[2]), quote, isCited: true } : undefined
}

function placeInProse(prompt) {
  const place =
    new RegExp(`\`?(${FILE})\`?:(\\d+)`).exec(prompt) ??
    new RegExp(`\`?(${FILE})\`?[^\\n]{0,20}?\\bline (\\d+)`).exec(prompt)
  if (!place) return undefined
  const quote = /```\w*\n([\s\S]*?)\n?```/.exec(prompt)?.[1] ?? /^Quoted?: (.+)$/m.exec(prompt)?.[1]
  return { file: place[1], line: Number(place[2]), quote, isCited: /^Source: /m.test(prompt) }
}

// A git command in backticks: what it prints is asked for, or, for a diff, a review of what it adds.
function gitCommand(prompt) {
  const [first] = gitCommands(prompt)
  if (!first) return undefined
  const { command, args } = first
  const prints = args.some((word) => /^--(name-only|name-status|stat|numstat|shortstat)/.test(word))
  return { kind: command === 'diff' && !prints ? 'review' : 'git', args }
}

// Git's own settings (`git -c name=value …`) are left to the tools, which have theirs.
function gitCommands(prompt) {
  const commands = /`git (?:-c \S+ )*(diff|log|show|status|ls-files|grep|blame|shortlog)\b([^`]*)`/g
  return [...prompt.matchAll(commands)].map(([, command, rest]) => ({ command, args: [command, ...words(rest)] }))
}

// "Research this question", with the question in <question>.
function research(prompt) {
  const question = /<question>\s*([\s\S]*?)\s*<\/question>/.exec(prompt)?.[1]
  return question && /\bresearch\b/i.test(prompt) && !/\bsplit\b/i.test(prompt)
    ? { kind: 'research', question }
    : undefined
}

// Splitting a question needs judgement, which this agent has not: it gives the question back as one piece.
function splitting(prompt) {
  const question = /<question>\s*([\s\S]*?)\s*<\/question>/.exec(prompt)?.[1]
  return question ? { kind: 'items', items: [question] } : undefined
}

// "How many lines / files / occurrences of X …".
function counting(prompt) {
  const asked = /\bhow many (lines|files|(?:occurrences|uses|times)(?: of)?)\b/i.exec(prompt)
  if (!asked) return undefined
  const what = /^(lines|files)$/i.test(asked[1]) ? asked[1].toLowerCase() : 'matches'
  const text = /["“]([^"”]+)["”]/.exec(prompt)?.[1] ?? backticked(prompt).find((word) => !isPath(word))
  return { kind: 'count', what, text, files: paths(prompt) }
}

// "Hunt for bugs in …", "find problems in …": the rules over whole files. `file:line`s after "already known" are left out.
function hunt(prompt) {
  if (
    !/\b(hunt|find|look|search|review|audit)\b[^\n]*\b(bugs?|problems?|issues?|defects?|findings?|left-?overs?|TODOs?)\b/i.test(
      prompt,
    )
  ) {
    return undefined
  }
  const known = /already known[^\n]*\n([\s\S]*)/i.exec(prompt)?.[1] ?? ''
  const rest = known === '' ? prompt : prompt.slice(0, prompt.indexOf(known))
  return {
    kind: 'hunt',
    files: paths(rest),
    known: [...known.matchAll(new RegExp(`(${FILE}:\\d+)`, 'g'))].map((match) => match[1]),
  }
}

function listing(prompt) {
  return /\blist\b[^\n]*\bfiles?\b/i.test(prompt) ? { kind: 'list', files: paths(prompt) } : undefined
}

function mentioned(prompt) {
  return { kind: 'describe', files: paths(prompt) }
}

/** Paths and patterns of files that a prompt names: in backticks, or anything that looks like `dir/name.ext`. */
function paths(prompt) {
  const plain = [...prompt.matchAll(new RegExp(`(?<![\\w/.@-])(${FILE})(?![\\w/])`, 'g'))].map((match) => match[1])
  return [
    ...new Set([
      ...backticked(prompt).filter(isPath),
      ...plain.filter((path) => path.includes('/') || /\.\w{1,4}$/.test(path)),
    ]),
  ]
}

function isPath(word) {
  return /^[\w@.*?-]+(?:\/[\w@.*?-]*)*$/.test(word) && /[/.*]/.test(word)
}

function backticked(prompt) {
  return [...prompt.matchAll(/`([^`\n]+)`/g)].map((match) => match[1])
}

/** A command line's words; quotes keep spaces together, and `'\''` within single quotes is one of them. */
export function words(text) {
  return [...text.matchAll(/"([^"]*)"|'((?:[^']|'\\'')*)'|(\S+)/g)].map(
    (match) => match[1] ?? match[2]?.replaceAll("'\\''", "'") ?? match[3],
  )
}

// Every JSON object or array in a prompt that begins a line or follows a colon.
function jsonValues(prompt) {
  const found = []
  for (const start of prompt.matchAll(/(?:^|[\n:>])\s*([[{])/g)) {
    const from = start.index + start[0].length - 1
    const close = start[1] === '{' ? '}' : ']'
    for (let to = prompt.lastIndexOf(close); to > from; to = prompt.lastIndexOf(close, to - 1)) {
      const value = parseJson(prompt.slice(from, to + 1))
      if (value === undefined) continue
      found.push(value)
      break
    }
  }
  return found
}

function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
