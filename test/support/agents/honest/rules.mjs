// What the honest agent knows of code: defects that a line gives away. A reviewer suspects a line that matches; a sceptic
// looks at the same line with comments and strings told apart, and at its neighbours, before it agrees.

/**
 * `where` says in which part of the line the defect has to be to be one: `code`, `comment` or `any`.
 * `excused(lines, index)` tells why it is none after all.
 */
export const RULES = [
  rule('leftovers', 'low', 'comment', /\b(TODO|FIXME|XXX|HACK)\b/, (m) => `A ${m[1]} mark was left in the code.`),
  rule('leftovers', 'low', 'code', /\bconsole\.(log|debug|trace)\s*\(/, (m) => `Debugging output (console.${m[1]}) was left in the code.`),
  rule('leftovers', 'medium', 'code', /^\s*debugger\b/, () => 'A debugger statement was left in the code.'),
  rule('leftovers', 'medium', 'code', /\b(it|test|describe)\.only\s*\(/, () => 'A test marked "only" keeps all others from running.'),
  rule('security', 'high', 'code', /(?<![.\w])eval\s*\(/, () => 'eval runs text as code.'),
  rule('security', 'high', 'code', /\bnew\s+Function\s*\(/, () => 'new Function runs text as code.'),
  rule('security', 'high', 'code', /\bexec(Sync)?\s*\(\s*(`[^`]*\$\{|[^)]*\+)/, () => 'A shell command is put together from values.'),
  rule('security', 'medium', 'code', /\.innerHTML\s*=/, () => 'Text is put into a page as HTML.'),
  rule('security', 'high', 'any', /\b(password|secret|api_?key|token)\b['"]?\s*[:=]\s*['"][^'"\s]{6,}['"]/i, (m) => `A secret (${m[1]}) is written into the code.`, (lines, index) =>
    /example|placeholder|<[^>]+>|process\.env|xxx+/i.test(lines[index]) ? 'the value is a placeholder' : undefined),
  rule('security', 'high', 'code', /rejectUnauthorized\s*:\s*false/, () => 'Certificates are not checked.'),
  rule('correctness', 'high', 'code', /[!=]==?\s*NaN\b|\bNaN\s*[!=]==?/, () => 'A comparison with NaN is never true.'),
  rule('correctness', 'high', 'code', /\b(if|while)\s*\(\s*[\w.[\]]+\s*=\s*[^=>]/, () => 'An assignment stands where a comparison is meant.'),
  rule('correctness', 'high', 'code', /\bfor\s*\([^;]*;[^;]*<=\s*[\w.]+\.length\b/, () => 'The loop runs one step past the end (<= length).'),
  rule('correctness', 'medium', 'code', /\.forEach\s*\(\s*async\b/, () => 'forEach does not wait for an async function.'),
  rule('correctness', 'medium', 'code', /\bcatch\s*(\([^)]*\))?\s*\{\s*\}/, () => 'A failure is swallowed by an empty catch.'),
] // prettier-ignore

function rule(angle, severity, where, pattern, say, excused = () => undefined) {
  return { angle, severity, where, pattern, say, excused }
}

/** The angles that a prompt names; all when it names none. */
export function anglesIn(prompt) {
  const asked = /only (?:for|at) ([^\n]*)/i.exec(prompt)?.[1] ?? prompt
  const words = {
    leftovers: /left-?overs?|debugging|dead code|\bTODO\b/i,
    security: /secur|inject|secret|unsafe|untrusted/i,
    correctness: /correct|\bbugs?\b|logic|error|boundar|off-by-one|edge case/i,
  }
  const named = Object.keys(words).filter((angle) => words[angle].test(asked))
  return named.length > 0 ? named : Object.keys(words)
}

/** Findings of the rules of these angles on a line: what a reviewer who does not look twice would report. */
export function suspect({ file, line, text }, angles) {
  return RULES.filter((one) => angles.includes(one.angle)).flatMap((one) => {
    const match = one.pattern.exec(text)
    return match ? [{ file, line, quote: text, problem: one.say(match), severity: one.severity, angle: one.angle }] : []
  })
}

/**
 * Whether line `index` really has a defect, looked at in its context: `{real, reason, severity}`. Where the claim names a
 * defect in the words of a rule, that one is judged, else any that the line may have.
 */
export function examine(lines, index, claim) {
  const text = lines[index]
  const { code, comment } = splitLine(lines, index)
  const parts = { code, comment, any: text }
  const possible = RULES.filter((one) => one.pattern.test(text))
  if (possible.length === 0)
    return { real: false, reason: 'The line is there, but nothing on it is a defect that I know.' }
  const claimed = possible.filter((one) => claim.includes(one.say(one.pattern.exec(text))))
  const suspects = claimed.length > 0 ? claimed : possible
  for (const one of suspects) {
    const match = one.pattern.exec(parts[one.where])
    if (!match) continue
    const excuse = one.excused(lines, index)
    if (excuse) return { real: false, reason: ['It looks like one, but ', excuse, '.'].join('') }
    return { real: true, reason: one.say(match), severity: one.severity }
  }
  const place =
    suspects[0].where === 'code'
      ? 'in a comment or in a string, where it does nothing'
      : 'in a string, not in a comment'
  return { real: false, reason: `It stands ${place}.` }
}

// The line's code without its strings (their quotes stay), and its comment. Block comments are followed from the file's start.
function splitLine(lines, index) {
  let inBlock = false
  let split = { code: '', comment: '' }
  for (let n = 0; n <= index; n++) {
    split = { code: '', comment: '' }
    const text = lines[n]
    let quote
    for (let at = 0; at < text.length; at++) {
      const two = text.slice(at, at + 2)
      if (inBlock) {
        if (two === '*/') inBlock = false
        split.comment += text[at]
      } else if (quote) {
        if (text[at] === '\\') at++
        else if (text[at] === quote) {
          quote = undefined
          split.code += text[at]
        } else if (quote === '`' && two === '${') split.code += '${'
      } else if (two === '/*') {
        inBlock = true
      } else if (two === '//' || (text[at] === '#' && /^\s*$/.test(text.slice(0, at)))) {
        split.comment += text.slice(at)
        break
      } else {
        if (/['"`]/.test(text[at])) quote = text[at]
        split.code += text[at]
      }
    }
  }
  return split
}
