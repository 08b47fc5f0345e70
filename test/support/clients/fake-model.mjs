// oxlint-disable -- a stand-in of one file, kept as it was tried against many clients
// Fake model server: OpenAI chat completions + responses, Anthropic messages, Gemini generateContent.
// 127.0.0.1 only. `node fake-model.mjs [port] [logfile]`. No dependencies.
// What it says is driven by directives in the newest user text that holds one:
//   CALL <tool-substring> <json-args>   -> one tool call, then "TOOL-RESULT <excerpt>" once a result is seen
//   SLOW <n>                            -> n chunks, 200 ms apart
//   SAY <text>                          -> that text
//   JSON <json>                         -> that json text (also through an output schema)
//   FAIL <status>                       -> that HTTP status
// otherwise "FAKE-OK".
import http from 'node:http'
import fs from 'node:fs'
const port = Number(process.argv[2] ?? 0),
  logFile = process.argv[3]
// $FAKE_RULES: a file of [{match, call?: {tool, args}, json}]. The first whose pattern the newest user text matches goes before
// directives: its tool is called, then its JSON is the answer.
const RULES = process.env.FAKE_RULES ? JSON.parse(fs.readFileSync(process.env.FAKE_RULES, 'utf8')) : []
const log = (o) => {
  if (logFile) fs.appendFileSync(logFile, JSON.stringify({ t: Date.now(), ...o }) + '\n')
}
const sleep = (ms) => new Promise((r) => setTimeout(r, ms))
const USAGE = { in: 1234, out: 56, cached: 1000, reasoning: 7 }
let n = 0
const id = (p) => `${p}_${Date.now().toString(36)}${(n++).toString(36)}`

function plan({ users, results, tools, forced, schema }) {
  // users: texts oldest..newest after the last assistant turn boundaries; results: array of tool-result texts after the newest directive
  let dir = null
  for (const u of [...users].reverse()) {
    const m = /(?:^|\n)\s*(CALL|SLOW|SAY|JSON|FAIL)\s+([^\n]*)/.exec(u.text)
    if (m) {
      dir = { kind: m[1], arg: m[2].trim(), at: u.at }
      break
    }
  }
  for (const { match, call, json } of RULES) {
    const user = users.findLast((u) => new RegExp(match, 's').test(u.text))
    if (!user) continue
    const name = call && tools.find((t) => t.endsWith(call.tool))
    if (name && !results.some((r) => r.at > user.at)) return { call: name, args: call.args }
    return { text: JSON.stringify(json) }
  }
  const after = dir ? results.filter((r) => r.at > dir.at) : results
  if (dir?.kind === 'FAIL') return { fail: Number(dir.arg) || 500 }
  if (dir?.kind === 'CALL') {
    const m = /^(\S+)\s*(.*)$/s.exec(dir.arg)
    const subs = m[1].split('>>') // a>>b : call a, then b
    const step = after.length
    if (step < subs.length) {
      const name =
        tools.find((t) => t === subs[step]) ??
        tools.find((t) => t.endsWith(subs[step])) ??
        tools.find((t) => t.includes(subs[step]))
      if (name) {
        const a = (m[2] || '{}').split('>>')
        let args = {}
        // $runId: the run that an earlier tool result names.
        const told = after.map((r) => r.text.replaceAll('\\"', '"')).join('\n')
        const runId = (/"runId":\s*"([^"]+)"/.exec(told) ?? /\brun ([0-9A-Z]{26})\b/i.exec(told))?.[1] ?? ''
        try {
          args = JSON.parse((a[step] ?? a[0] ?? '{}').replaceAll('$runId', runId))
        } catch {}
        return { call: name, args }
      }
      return { text: `NO-SUCH-TOOL ${subs[step]} among ${tools.length}: ${tools.join(',').slice(0, 300)}` }
    }
    if (schema) return { text: JSON.stringify(sample(schema)) }
    return {
      text: `TOOL-RESULT ${after
        .map((r) => r.text)
        .join(' | ')
        .slice(0, 400)}`,
    }
  }
  if (forced) return { call: forced.name, args: forced.schema ? sample(forced.schema) : {} }
  if (dir?.kind === 'SLOW') return { text: 'slow '.repeat(Number(dir.arg) || 5), slow: Number(dir.arg) || 5 }
  if (dir?.kind === 'SAY') return { text: dir.arg }
  if (dir?.kind === 'JSON') return { text: dir.arg }
  if (schema) return { text: JSON.stringify(sample(schema)) }
  return { text: 'FAKE-OK' }
}
export function sample(s) {
  if (!s || typeof s !== 'object') return null
  if (s.const !== undefined) return s.const
  if (s.enum) return s.enum[0]
  if (s.anyOf) return sample(s.anyOf[0])
  if (s.oneOf) return sample(s.oneOf[0])
  const t = String(Array.isArray(s.type) ? s.type[0] : (s.type ?? (s.properties ? 'object' : 'string'))).toLowerCase()
  if (t === 'object') return Object.fromEntries(Object.entries(s.properties ?? {}).map(([k, v]) => [k, sample(v)]))
  if (t === 'array') return [sample(s.items ?? { type: 'string' })]
  if (t === 'number' || t === 'integer') return 42
  if (t === 'boolean') return true
  if (t === 'null') return null
  return 'fake'
}
const textOf = (c) =>
  typeof c === 'string'
    ? c
    : Array.isArray(c)
      ? c
          .map((p) => (typeof p === 'string' ? p : (p.text ?? p.content ?? (p.output ? textOf(p.output) : ''))))
          .map((x) => (typeof x === 'string' ? x : textOf(x)))
          .join('\n')
      : c == null
        ? ''
        : JSON.stringify(c)

function sse(res) {
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  return (ev, data) => {
    if (ev) res.write(`event: ${ev}\n`)
    res.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  }
}
const parts = (p) => (p.slow ? Array.from({ length: p.slow }, () => 'slow ') : (p.text.match(/.{1,40}/gs) ?? ['']))

async function chat(b, res, req) {
  const users = [],
    results = []
  b.messages.forEach((m, at) => {
    if (m.role === 'user') users.push({ text: textOf(m.content), at })
    if (m.role === 'tool') results.push({ text: textOf(m.content), at })
  })
  const tools = (b.tools ?? []).map((t) => t.function?.name).filter(Boolean)
  const forcedName = typeof b.tool_choice === 'object' ? b.tool_choice?.function?.name : undefined
  let p = plan({
    users,
    results,
    tools,
    forced: forcedName && {
      name: forcedName,
      schema: b.tools.find((t) => t.function?.name === forcedName)?.function?.parameters,
    },
    schema: b.response_format?.json_schema?.schema,
  })
  const so = b.tools?.find((t) => t.function?.name === 'StructuredOutput')?.function
  if (so && !p.call && !p.fail && !p.slow && !results.length) {
    let args = sample(so.parameters)
    try {
      if (/^\{/.test(p.text)) args = JSON.parse(p.text)
    } catch {}
    p = { call: 'StructuredOutput', args }
  }
  log({
    api: 'chat',
    tc: b.tool_choice,
    model: b.model,
    stream: !!b.stream,
    tools,
    rf: b.response_format?.type,
    plan: p,
    lastUser: users.at(-1)?.text.slice(-200),
  })
  if (p.fail) return fail(res, p.fail)
  const usage = {
    prompt_tokens: USAGE.in,
    completion_tokens: USAGE.out,
    total_tokens: USAGE.in + USAGE.out,
    prompt_tokens_details: { cached_tokens: USAGE.cached },
    completion_tokens_details: { reasoning_tokens: USAGE.reasoning },
  }
  const cid = id('chatcmpl'),
    base = { id: cid, created: Math.floor(Date.now() / 1000), model: b.model }
  const call = p.call && [
    { index: 0, id: id('call'), type: 'function', function: { name: p.call, arguments: JSON.stringify(p.args) } },
  ]
  if (!b.stream) {
    if (p.slow) await sleep(p.slow * 200)
    return json(res, {
      ...base,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: p.call ? null : p.text, ...(call && { tool_calls: call }) },
          finish_reason: p.call ? 'tool_calls' : 'stop',
        },
      ],
      usage,
    })
  }
  const w = sse(res),
    ch = (delta, fin = null) =>
      w(null, { ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: fin }] })
  ch({ role: 'assistant', content: '' })
  if (p.call) ch({ tool_calls: call })
  else
    for (const t of parts(p)) {
      if (req.dead) return log({ aborted: 'chat' })
      ch({ content: t })
      if (p.slow) await sleep(200)
    }
  ch({}, p.call ? 'tool_calls' : 'stop')
  w(null, { ...base, object: 'chat.completion.chunk', choices: [], usage })
  w(null, '[DONE]')
  res.end()
}
async function responses(b, res, req) {
  const items = typeof b.input === 'string' ? [{ role: 'user', content: b.input }] : (b.input ?? [])
  const users = [],
    results = []
  items.forEach((m, at) => {
    if (m.role === 'user') users.push({ text: textOf(m.content), at })
    if (/_call_output$|function_call_output/.test(m.type ?? '')) results.push({ text: textOf(m.output), at })
  })
  const tl = []
  for (const t of b.tools ?? []) {
    if (t.type === 'namespace') for (const u of t.tools ?? []) tl.push({ name: u.name, ns: t.name, p: u.parameters })
    else if (t.name) tl.push({ name: t.name, type: t.type, p: t.parameters })
  }
  const tools = tl.map((t) => (t.ns ? t.ns + '::' + t.name : t.name))
  const p = plan({ users, results, tools, schema: b.text?.format?.schema })
  log({
    api: 'responses',
    model: b.model,
    stream: !!b.stream,
    tools,
    fmt: b.text?.format?.type,
    plan: p,
    lastUser: users.at(-1)?.text.slice(-200),
  })
  if (p.fail) return fail(res, p.fail)
  const rid = id('resp'),
    usage = {
      input_tokens: USAGE.in,
      input_tokens_details: { cached_tokens: USAGE.cached },
      output_tokens: USAGE.out,
      output_tokens_details: { reasoning_tokens: USAGE.reasoning },
      total_tokens: USAGE.in + USAGE.out,
    }
  const base = {
    id: rid,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    model: b.model,
    parallel_tool_calls: false,
    tools: [],
    tool_choice: 'auto',
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
  }
  let item
  if (p.call) {
    const [ns, nm] = p.call.includes('::') ? p.call.split('::') : [null, p.call]
    const t = tl.find((t) => (t.ns ? t.ns + '::' + t.name : t.name) === p.call)
    item =
      t?.type === 'custom'
        ? {
            type: 'custom_tool_call',
            id: id('ctc'),
            call_id: id('call'),
            name: nm,
            input: p.args.input ?? '',
            status: 'completed',
          }
        : {
            type: 'function_call',
            id: id('fc'),
            call_id: id('call'),
            name: nm,
            ...(ns && { namespace: ns }),
            arguments: JSON.stringify(p.args),
            status: 'completed',
          }
  } else
    item = {
      type: 'message',
      id: id('msg'),
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: p.text, annotations: [] }],
    }
  const done = { ...base, status: 'completed', output: [item], usage }
  if (!b.stream) {
    if (p.slow) await sleep(p.slow * 200)
    return json(res, done)
  }
  const w0 = sse(res)
  let seq = 0
  const w = (type, o) => w0(type, { type, sequence_number: seq++, ...o })
  w('response.created', { response: { ...base, status: 'in_progress', output: [], usage: null } })
  w('response.in_progress', { response: { ...base, status: 'in_progress', output: [], usage: null } })
  if (p.call) {
    w('response.output_item.added', {
      output_index: 0,
      item: { ...item, status: 'in_progress', ...(item.type === 'function_call' && { arguments: '' }) },
    })
    if (item.type === 'function_call') {
      w('response.function_call_arguments.delta', { item_id: item.id, output_index: 0, delta: item.arguments })
      w('response.function_call_arguments.done', { item_id: item.id, output_index: 0, arguments: item.arguments })
    }
  } else {
    w('response.output_item.added', { output_index: 0, item: { ...item, status: 'in_progress', content: [] } })
    w('response.content_part.added', {
      item_id: item.id,
      output_index: 0,
      content_index: 0,
      part: { type: 'output_text', text: '', annotations: [] },
    })
    for (const t of parts(p)) {
      if (req.dead) return log({ aborted: 'responses' })
      w('response.output_text.delta', { item_id: item.id, output_index: 0, content_index: 0, delta: t })
      if (p.slow) await sleep(200)
    }
    w('response.output_text.done', { item_id: item.id, output_index: 0, content_index: 0, text: p.text })
    w('response.content_part.done', { item_id: item.id, output_index: 0, content_index: 0, part: item.content[0] })
  }
  w('response.output_item.done', { output_index: 0, item })
  w('response.completed', { response: done })
  res.end()
}
async function messages(b, res, req) {
  const users = [],
    results = []
  b.messages.forEach((m, at) => {
    if (m.role !== 'user') return
    const c = typeof m.content === 'string' ? [{ type: 'text', text: m.content }] : m.content
    for (const p of c) {
      if (p.type === 'tool_result') results.push({ text: textOf(p.content), at })
      else if (p.type === 'text') users.push({ text: p.text, at: at - 0.5 })
    }
  })
  const tools = (b.tools ?? []).map((t) => t.name)
  const forcedName = b.tool_choice?.type === 'tool' ? b.tool_choice.name : undefined
  let p = plan({
    users,
    results,
    tools,
    forced: forcedName && { name: forcedName, schema: b.tools.find((t) => t.name === forcedName)?.input_schema },
    schema: b.output_config?.format?.schema ?? b.output_format?.schema,
  })
  // Claude Code's StructuredOutput tool: call it when it is there and nothing else is to be done
  const so = b.tools?.find((t) => t.name === 'StructuredOutput')
  if (so && !p.call && !p.fail && !p.slow && !results.some((r) => /[Ss]tructured output/.test(r.text))) {
    let args = sample(so.input_schema)
    try {
      if (/^\{/.test(p.text)) args = JSON.parse(p.text)
    } catch {}
    p = { call: 'StructuredOutput', args }
  }
  log({
    api: 'messages',
    model: b.model,
    stream: !!b.stream,
    tools,
    oc: b.output_config,
    tc: b.tool_choice,
    plan: p,
    lastUser: users.at(-1)?.text.slice(-200),
    maxTokens: b.max_tokens,
  })
  if (p.fail) return fail(res, p.fail)
  const usage = {
    input_tokens: USAGE.in - USAGE.cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: USAGE.cached,
    output_tokens: USAGE.out,
  }
  const block = p.call
    ? { type: 'tool_use', id: id('toolu'), name: p.call, input: p.args }
    : { type: 'text', text: p.text }
  const msg = {
    id: id('msg'),
    type: 'message',
    role: 'assistant',
    model: b.model,
    content: [block],
    stop_reason: p.call ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage,
  }
  if (!b.stream) {
    if (p.slow) await sleep(p.slow * 200)
    return json(res, msg)
  }
  const w0 = sse(res),
    w = (o) => w0(o.type, o)
  w({
    type: 'message_start',
    message: { ...msg, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
  })
  if (p.call) {
    w({ type: 'content_block_start', index: 0, content_block: { ...block, input: {} } })
    w({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(p.args) },
    })
  } else {
    w({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
    for (const t of parts(p)) {
      if (req.dead) return log({ aborted: 'messages' })
      w({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: t } })
      if (p.slow) await sleep(200)
    }
  }
  w({ type: 'content_block_stop', index: 0 })
  w({
    type: 'message_delta',
    delta: { stop_reason: msg.stop_reason, stop_sequence: null },
    usage: { output_tokens: USAGE.out },
  })
  w({ type: 'message_stop' })
  res.end()
}
async function gemini(b, res, req, model, stream) {
  const users = [],
    results = []
  ;(b.contents ?? []).forEach((c, at) => {
    for (const p of c.parts ?? []) {
      if (p.functionResponse) results.push({ text: JSON.stringify(p.functionResponse.response), at })
      else if (c.role !== 'model' && p.text) users.push({ text: p.text, at: at - 0.5 })
    }
  })
  const decl = (b.tools ?? []).flatMap((t) => t.functionDeclarations ?? []),
    tools = decl.map((d) => d.name),
    gc = b.generationConfig ?? {}
  const p = plan({ users, results, tools, schema: gc.responseJsonSchema ?? gc.responseSchema })
  log({
    api: 'gemini',
    model,
    stream,
    tools,
    mime: gc.responseMimeType,
    plan: p,
    lastUser: users.at(-1)?.text.slice(-200),
  })
  if (p.fail) return fail(res, p.fail)
  const usageMetadata = {
    promptTokenCount: USAGE.in,
    candidatesTokenCount: USAGE.out,
    totalTokenCount: USAGE.in + USAGE.out,
    cachedContentTokenCount: USAGE.cached,
    thoughtsTokenCount: USAGE.reasoning,
  }
  const mk = (ps, fin) => ({
    candidates: [{ content: { role: 'model', parts: ps }, index: 0, ...(fin && { finishReason: 'STOP' }) }],
    modelVersion: model,
    responseId: 'r',
    ...(fin && { usageMetadata }),
  })
  if (!stream) {
    if (p.slow) await sleep(p.slow * 200)
    return json(
      res,
      mk([p.call ? { functionCall: { id: id('fc'), name: p.call, args: p.args } } : { text: p.text }], true),
    )
  }
  const w = sse(res)
  if (p.call) w(null, mk([{ functionCall: { id: id('fc'), name: p.call, args: p.args } }], true))
  else {
    const ps = parts(p)
    for (let i = 0; i < ps.length; i++) {
      if (req.dead) return log({ aborted: 'gemini' })
      w(null, mk([{ text: ps[i] }], i === ps.length - 1))
      if (p.slow) await sleep(200)
    }
  }
  res.end()
}
const json = (res, o, s = 200) => {
  res.writeHead(s, { 'content-type': 'application/json' })
  res.end(JSON.stringify(o))
}
const fail = (res, s) =>
  json(res, { type: 'error', error: { type: 'api_error', message: `fake failure ${s}`, code: s } }, s)
const server = http.createServer(async (req, res) => {
  res.on('close', () => {
    if (!res.writableFinished) {
      req.dead = true
      log({ clientClosed: req.url })
    }
  })
  let raw = ''
  for await (const c of req) raw += c
  let b = {}
  try {
    b = raw ? JSON.parse(raw) : {}
  } catch {
    log({ badBody: req.url, enc: req.headers['content-encoding'] })
  }
  const path = req.url.split('?')[0]
  let m
  if (process.env.FAKE_RAW)
    fs.appendFileSync(process.env.FAKE_RAW, JSON.stringify({ path, headers: req.headers, body: b }) + '\n')
  try {
    if (req.method === 'POST' && path.endsWith('/chat/completions')) return await chat(b, res, req)
    if (req.method === 'POST' && path.endsWith('/responses')) return await responses(b, res, req)
    if (req.method === 'POST' && path.endsWith('/messages/count_tokens')) return json(res, { input_tokens: 100 })
    if (req.method === 'POST' && path.endsWith('/messages')) return await messages(b, res, req)
    if ((m = /\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/.exec(path)))
      return m[2] === 'countTokens'
        ? json(res, { totalTokens: 100 })
        : await gemini(b, res, req, m[1], m[2] === 'streamGenerateContent')
    if (req.method === 'GET' && path.endsWith('/models')) {
      log({ models: req.url })
      return json(res, {
        object: 'list',
        data: ['fake-model', 'claude-fake', 'gpt-5'].map((i) => ({
          id: i,
          object: 'model',
          created: 1,
          owned_by: 'fake',
          type: 'model',
          display_name: i,
        })),
        models: [],
        has_more: false,
      })
    }
    log({ unknown: req.method + ' ' + req.url })
    json(res, { error: { message: 'not found' } }, 404)
  } catch (e) {
    log({ error: String(e?.stack ?? e) })
    if (!res.headersSent) json(res, { error: { message: String(e) } }, 500)
    else res.end()
  }
})
server.listen(port, '127.0.0.1', () =>
  console.log(`fake-model http://127.0.0.1:${server.address().port} pid ${process.pid}`),
)
