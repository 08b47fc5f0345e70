// The tools as a client lists them. Input schemas are permissive: the calls themselves name every violation at once.

import type { JsonObject } from '../../shared/index.ts'
import { MAIN_DESCRIPTION } from './description.ts'

export interface ToolEntry {
  name: string
  title: string
  description: string
  inputSchema: JsonObject & { type: 'object' }
  outputSchema?: JsonObject & { type: 'object' }
  annotations: JsonObject
  _meta: JsonObject
}

const text = (description: string): JsonObject => ({ type: 'string', description })
const RUN_ID = text('The id of a run of this session')
/** Claude Code hides tools behind a search unless they carry this. */
const ALWAYS_LOAD = { 'anthropic/alwaysLoad': true }

const SOURCE = {
  script: text('The whole script'),
  scriptPath: text('A script file, absolute or from the workspace; goes before script and name'),
  name: text('A saved workflow, see workflow_list'),
  meta: { type: 'object', description: 'meta as data, for a script without `export const meta`' },
  args: {
    type: 'object',
    description: 'What the script sees as `args`. A list goes into a field: {"items": […]}',
    additionalProperties: true,
  },
}

const LIMITS = {
  budgetTokens: { type: 'integer', description: 'Output tokens that all agents together may spend' },
  backend: text('Who runs the agents; by default what the settings say'),
  maxAgents: { type: 'integer', description: 'Agents in the whole run' },
}

const RUN_OUTPUT: ToolEntry['outputSchema'] = {
  type: 'object',
  properties: {
    runId: { type: 'string' },
    status: { type: 'string' },
    agentsStarted: { type: 'integer' },
    result: {},
    truncated: { type: 'boolean' },
    degraded: { type: 'boolean' },
    calls: { type: 'object' },
    error: { type: 'string' },
    next: { type: 'string' },
    scriptPath: { type: 'string' },
    notes: { type: 'array', items: { type: 'string' } },
  },
  required: ['runId'],
}

interface Definition {
  name: string
  title: string
  description: string
  properties: JsonObject
  required?: string[]
  output?: ToolEntry['outputSchema']
  /** It changes nothing. */
  readOnly?: boolean
  /** It starts runs, which an agent of a run must not. */
  starts?: boolean
}

function definitions(toolName: string): Definition[] {
  return [
    {
      name: toolName,
      title: 'Run a workflow',
      description: MAIN_DESCRIPTION,
      properties: {
        ...SOURCE,
        ...LIMITS,
        resumeFromRunId: text('Answer calls from this earlier run where it has finished them'),
        background: { type: 'boolean', description: 'Return at once with the id of the run' },
        title: text('What the run is called in lists'),
        description: text('Why it is run; shown with it'),
      },
      output: RUN_OUTPUT,
      starts: true,
    },
    {
      name: 'workflow_status',
      title: 'Workflow status',
      description:
        "How runs are: without runId this session's runs, with it phases, agents, log and usage of that one.",
      properties: { runId: RUN_ID },
      readOnly: true,
    },
    {
      name: 'workflow_wait',
      title: 'Wait for a workflow',
      description: 'Waits until a run has ended and answers as the run itself would; "running" when it takes longer.',
      properties: {
        runId: RUN_ID,
        seconds: { type: 'number', description: 'At most so long; the limit of this client applies in any case' },
      },
      required: ['runId'],
      output: RUN_OUTPUT,
      readOnly: true,
    },
    {
      name: 'workflow_result',
      title: 'Workflow result',
      description:
        'The JSON of what an ended run returned, or of what one of its agents answered, in pages; pointer picks a part.',
      properties: {
        runId: RUN_ID,
        agent: { type: 'integer', description: "An agent's number in the run" },
        pointer: text('JSON Pointer to a part, e.g. /items/0'),
        offset: { type: 'integer', description: 'Where the page begins, in UTF-16 units; default 0' },
        limit: { type: 'integer', description: 'The length of the page in UTF-16 units' },
      },
      required: ['runId'],
      output: RUN_OUTPUT,
      readOnly: true,
    },
    {
      name: 'workflow_cancel',
      title: 'Cancel a workflow',
      description: 'Cancels a live run and waits until its agents are gone.',
      properties: { runId: RUN_ID, reason: text('Why, for the record') },
      required: ['runId'],
    },
    {
      name: 'workflow_agent',
      title: 'Skip, retry or stop an agent',
      description:
        'Acts on one agent of a live run: skip and stop make it null to the script, retry starts its attempt again.',
      properties: {
        runId: RUN_ID,
        agent: { type: 'integer', description: "The agent's number in the run" },
        action: { type: 'string', enum: ['skip', 'retry', 'stop'] },
      },
      required: ['runId', 'agent', 'action'],
    },
    {
      name: 'workflow_pause',
      title: 'Pause a workflow',
      description: 'Lets no further agent of a live run begin; those that run go on.',
      properties: { runId: RUN_ID, reason: text('Why, for the record') },
      required: ['runId'],
    },
    {
      name: 'workflow_continue',
      title: 'Continue a workflow',
      description: 'Lets a paused run go on.',
      properties: { runId: RUN_ID },
      required: ['runId'],
    },
    {
      name: 'workflow_list',
      title: 'List workflows',
      description: 'The saved workflows that can be run by name, with what they do and when to use them.',
      properties: {},
      readOnly: true,
    },
    {
      name: 'workflow_validate',
      title: 'Check a workflow script',
      description: 'Finds mistakes in a script, with line and column, without running anything.',
      properties: { script: SOURCE.script, scriptPath: SOURCE.scriptPath },
      readOnly: true,
    },
    {
      name: 'workflow_dry_run',
      title: 'Dry-run a workflow',
      description:
        'Runs a script with simulated agents on virtual time: how many agents, in which phases, and an estimate of time and tokens. Nothing is started, nothing is kept.',
      properties: { ...SOURCE, ...LIMITS },
      readOnly: true,
      starts: true,
    },
  ]
}

/** Every tool; those that start runs are missing for an agent of a run. */
export function listTools({ toolName, depth }: { toolName: string; depth: number }): ToolEntry[] {
  return definitions(toolName)
    .filter(({ starts }) => starts !== true || depth === 0)
    .map(({ name, title, description, properties, required, output, readOnly = false }) => ({
      name,
      title,
      description,
      inputSchema: { type: 'object', properties, ...(required && { required }) },
      ...(output && { outputSchema: output }),
      annotations: { title, readOnlyHint: readOnly, destructiveHint: false, openWorldHint: name === toolName },
      _meta: ALWAYS_LOAD,
    }))
}
