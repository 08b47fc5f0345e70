// Runs in the page, before the product: a host in memory with one run of 1,000 agents of which 16 stream, and the measuring
// of what the window does with it. Everything it needs is in here, for it is sent to the page as text.

export interface PageMeasures {
  /** Milliseconds from one frame to the next. */
  frames: number[]
  /** Milliseconds from an event's arrival to the frame in which its text is on the screen. */
  paints: number[]
  /** Milliseconds of each task of more than 50 ms. */
  longTasks: number[]
}

export interface BenchPage {
  weft: unknown
  /** Streams for so long, or for 0 events a second just looks on. */
  weftMeasure(ms: number, eventsPerSecond: number): Promise<PageMeasures>
}

export function installStub(agents: number, streaming: number): void {
  const start = Date.now() - 60_000
  const runId = '01BENCH0000000000000000000'
  const workspace = '/workspace'
  const phases = Array.from({ length: 10 }, (_, n) => ({ title: `Phase ${n + 1}` }))
  const events: Record<string, unknown>[] = []
  const listeners = new Set<(push: unknown) => void>()
  const add = (type: string, payload: Record<string, unknown>, at: number): Record<string, unknown> => {
    const event = { seq: events.length + 1, at, type, ...payload }
    events.push(event)
    return event
  }
  const row = {
    runId,
    workflow: 'thousand',
    title: null,
    status: 'running',
    degraded: false,
    simulated: false,
    workspace,
    scriptPath: null,
    backend: 'bench',
    startedBy: { kind: 'window' },
    resumedFrom: null,
    startedAt: start,
    endedAt: null,
    agents,
    calls: { completed: agents - streaming, failed: 0, skipped: 0, cancelled: 0, replayed: 0, refused: 0 },
    outputTokens: 0,
    costUsd: null,
    error: null,
  }
  const started = {
    runId,
    meta: { name: 'thousand', description: 'Many agents.', phases },
    scriptHash: '0'.repeat(64),
    scriptPath: null,
    fileName: 'thousand.js',
    workspace,
    backend: 'bench',
    simulated: false,
    dry: false,
    budgetTokens: null,
    maxConcurrentAgents: streaming,
    maxAgents: agents,
    startedBy: { kind: 'window' },
    lineage: runId,
    resumedFrom: null,
  }
  add('run-started', started, start)
  for (let agent = 1; agent <= agents; agent++) {
    const phase = phases[Math.min(9, Math.floor(((agent - 1) * 10) / agents))]?.title ?? null
    const at = start + agent * 50
    if ((agent - 1) % (agents / 10) === 0) add('phase-started', { title: phase, group: 0 }, at)
    const call = { agent, path: `/agent:${agent - 1}`, key: String(agent).padStart(64, '0'), label: `agent ${agent}` }
    const prompt = { promptPreview: `Do part ${agent}.`, promptLength: 12 }
    add('agent-queued', { ...call, ...prompt, phase, group: 0, backend: 'bench', model: 'model' }, at)
    add('agent-started', { agent, attempt: 1 }, at + 5)
    if (agent > agents - streaming) continue
    const usage = { outputTokens: 100, inputTokens: 900 }
    add(
      'agent-ended',
      { agent, outcome: 'completed', resultPreview: `result ${agent}`, usage, durationMs: 800, attempts: 1 },
      at + 800,
    )
  }
  const answers: Record<string, (params: { fromSeq?: number; limit?: number }) => unknown> = {
    'host.hello': () => ({ apiVersion: 1, hostVersion: 'bench', pid: 1 }),
    'host.status': () => ({
      pid: 1,
      version: 'bench',
      dataDir: '/',
      liveRuns: 1,
      runningAgents: streaming,
      clients: 1,
    }),
    'workspace.initial': () => ({ workspace, open: null }),
    'workflows.list': () => ({ workflows: [] }),
    'backends.list': () => ({ backends: [] }),
    'settings.get': () => ({ settings: {}, path: '/', errors: [], warnings: [] }),
    'run.list': () => ({ runs: [row], total: 1, pinned: [] }),
    'run.resumable': () => ({ runs: [] }),
    'run.get': () => ({ row, lastSeq: events.length }),
    'run.events': ({ fromSeq = 1, limit = 1000 }) => ({
      events: events.slice(fromSeq - 1, fromSeq - 1 + limit),
      lastSeq: events.length,
    }),
    'run.watch': () => ({ lastSeq: events.length }),
    'run.unwatch': () => ({}),
  }
  const call = async (name: string, params: object): Promise<unknown> => {
    const answer = answers[name]
    return answer === undefined
      ? { ok: false, error: { code: 'NOT_FOUND', message: `the bench has no ${name}` } }
      : { ok: true, value: structuredClone(answer(params)) }
  }
  const onPush = (listener: (push: unknown) => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const first = agents - streaming + 1
  let words = 0
  const say = (agent: number, text: string): void => {
    const event = add('agent-progress', { agent, progress: { kind: 'text', text } }, Date.now())
    for (const listener of listeners) listener({ event: 'run.events', payload: { runId, events: [event] } })
  }
  // The two names that the bench reaches from outside.
  const page = window as unknown as BenchPage
  page.weft = { kind: 'window', platform: 'linux', call, onPush }
  page.weftMeasure = (ms, eventsPerSecond) =>
    new Promise((done) => {
      const measures: PageMeasures = { frames: [], paints: [], longTasks: [] }
      const tasks = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) measures.longTasks.push(entry.duration)
      })
      tasks.observe({ type: 'longtask' })
      const begin = performance.now()
      let last = begin
      let sent: { text: string; at: number } | undefined
      const tree = document.querySelector('[role=tree]')
      const looked = new MutationObserver(() => {
        if (sent === undefined || !tree?.textContent?.includes(sent.text)) return
        const { at } = sent
        sent = undefined
        requestAnimationFrame(() => {
          const channel = new MessageChannel()
          // Told after the frame has been painted.
          channel.port1.addEventListener('message', () => measures.paints.push(performance.now() - at))
          channel.port1.start()
          channel.port2.postMessage(null)
        })
      })
      if (tree) looked.observe(tree, { childList: true, characterData: true, subtree: true })
      const timers =
        eventsPerSecond === 0
          ? []
          : Array.from({ length: streaming }, (_, n) =>
              setInterval(() => {
                const text = `word-${++words}.`
                if (n === 0 && sent === undefined) sent = { text, at: performance.now() }
                say(first + n, text)
              }, 1000 / eventsPerSecond),
            )
      // By the frames' own times: when its callbacks are reached within a frame nobody sees, that one is left out everybody does.
      const onFrame = (frame: number): void => {
        measures.frames.push(frame - last)
        last = frame
        if (frame - begin < ms) {
          requestAnimationFrame(onFrame)
          return
        }
        for (const timer of timers) clearInterval(timer)
        tasks.disconnect()
        looked.disconnect()
        done(measures)
      }
      requestAnimationFrame(onFrame)
    })
}
