// An ACP agent without a model, plain JSON-RPC and so quick to start: plays the steps in WEFT_TEST_STEPS, a JSON array, in its first turn (and
// goes on with them in later ones). A step is one of
//   {"text": …}  {"tool": {…tool call or update}}  {"plan": […]}  {"raw": text}  {"sleep": ms}  {"cost": dollars}
//   {"output": value}        calls structured_output by its MCP server and tells the verdict to stderr
//   {"permission": title}    asks, and tells the answer as text
//   {"fail": message}        the turn fails            {"stop": reason, "usage": {…}}   the turn ends (end_turn)
//   {"hang": true}  {"exit": code}  {"kill": signal}   {"late": text}   said 100 ms after a cancel, which is answered end_turn
// With WEFT_TEST_STALL it never answers that method, and has a child in a session of its own that takes no SIGTERM.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { appendFileSync, readFileSync } from 'node:fs'

const source = process.env.WEFT_TEST_STEPS ?? '[]'
const steps = JSON.parse(source.startsWith('@') ? readFileSync(source.slice(1), 'utf8') : source)
const record = process.env.WEFT_TEST_RECORD
const note = (what) => record && appendFileSync(record, `${JSON.stringify(what)}\n`)
let servers = []
let calls
let cancelled = () => {}
const cancelling = new Promise((resolve) => (cancelled = resolve))

const select = (id, values) => ({
  id,
  category: id,
  name: id,
  type: 'select',
  currentValue: values[0],
  options: values.map((value) => ({ value, name: value })),
})

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const update = (what) => write({ method: 'session/update', params: { sessionId: 'S1', update: what } })
const asked = new Map()
const ask = (method, params) =>
  new Promise((resolve) => {
    const id = `q${asked.size}`
    asked.set(id, resolve)
    write({ id, method, params })
  })

const handlers = {
  initialize(params) {
    note({ initialize: params })
    return { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { close: {} } }, authMethods: [] }
  },
  'session/new'(params) {
    note({ new: params })
    servers = params.mcpServers
    const configOptions = [
      select('model', ['m-0', 'm-1']),
      select('thought_level', ['low', 'high']),
      select('mode', ['ask', 'code']),
    ]
    return { sessionId: 'S1', configOptions }
  },
  'session/set_config_option'(params) {
    note({ set: params })
    return { configOptions: [] }
  },
  'session/close'() {
    note({ close: true })
    return {}
  },
  'session/cancel'() {
    note({ cancel: true })
    cancelled()
  },
  async 'session/prompt'(params) {
    note({ prompt: params.prompt })
    for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
      if ('text' in step) update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: step.text } })
      else if ('tool' in step) update(step.tool)
      else if ('plan' in step) update({ sessionUpdate: 'plan', entries: step.plan })
      else if ('cost' in step)
        update({ sessionUpdate: 'usage_update', used: 1, size: 9, cost: { amount: step.cost, currency: 'USD' } })
      else if ('raw' in step) await new Promise((resolve) => process.stdout.write(`${step.raw}\n`, resolve))
      else if ('sleep' in step) await sleep(step.sleep)
      else if ('output' in step) note({ verdict: await callOutput(step.output) })
      else if ('permission' in step) {
        const { outcome } = await ask('session/request_permission', {
          sessionId: 'S1',
          toolCall: { toolCallId: 'p1', title: step.permission, rawInput: { path: 'x' } },
          options: [
            { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
            { optionId: 'always', name: 'Always', kind: 'allow_always' },
            { optionId: 'no', name: 'No', kind: 'reject_once' },
          ],
        })
        note({ permission: outcome })
        update({
          sessionUpdate: 'agent_message_chunk',
          content: { type: 'text', text: outcome.optionId ?? outcome.outcome },
        })
      } else if ('fail' in step) throw new Error(step.fail)
      else if ('stop' in step) return { stopReason: step.stop, ...(step.usage && { usage: step.usage }) }
      else if ('hang' in step) await new Promise(() => setInterval(() => {}, 1 << 30))
      else if ('late' in step) {
        await cancelling
        await sleep(100)
        update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: step.late } })
        return { stopReason: 'end_turn' }
      } else if ('exit' in step) process.exit(step.exit)
      else if ('kill' in step) process.kill(process.pid, step.kill)
    }
    return { stopReason: 'end_turn' }
  },
}

const stalled = process.env.WEFT_TEST_STALL
if (stalled) spawn('sh', ['-c', `trap '' TERM; sleep 300; sleep 300`], { detached: true, stdio: 'ignore' }).unref()

const lines = createInterface({ input: process.stdin })
lines.on('close', () => process.exit(0))
lines.on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line)
  if (method === undefined) asked.get(id)?.(result)
  else void answer(id, method, params)
})

async function answer(id, method, params) {
  try {
    if (method === stalled) {
      note({ stalled: method })
      await new Promise(() => setInterval(() => {}, 1 << 30))
    }
    const result = await handlers[method](params)
    if (id !== undefined) write({ id, result })
  } catch (error) {
    write({ id, error: { code: -32603, message: error.message } })
  }
}

/** As an MCP client over stdio would. */
async function callOutput(value) {
  calls ??= await startClient()
  return calls('tools/call', { name: 'structured_output', arguments: value })
}

async function startClient() {
  const [{ command, args, env }] = servers
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) },
  })
  const waiting = new Map()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line)
    waiting.get(message.id)?.(message.result ?? message.error)
  })
  let id = 0
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const request = (method, params) =>
    new Promise((resolve) => {
      waiting.set(++id, resolve)
      send({ id, method, params })
    })
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'fake', version: '1' },
  })
  send({ method: 'notifications/initialized' })
  note({ tools: await request('tools/list', {}) })
  return request
}
