// Saved workflows as prompts, which harnesses offer as slash commands.

import { ProtocolError, ProtocolErrorCode, type GetPromptResult, type Prompt } from '@modelcontextprotocol/server'
import { isJsonObject, type JsonValue, type WorkflowEntry } from '../../shared/index.ts'
import type { ToolSession } from './tool-session.ts'

const ARGS_ARGUMENT = {
  name: 'args',
  description: 'What the workflow sees as args: JSON, or plain text for the model to make it from',
  required: false,
}

export async function listPrompts(session: ToolSession): Promise<Prompt[]> {
  const entries = await readWorkflows(session)
  return entries.map(({ name, description, argsSchema }) => ({
    name,
    description: description ?? `Runs the workflow ${name}`,
    arguments: argumentsOf(argsSchema),
  }))
}

/** The words that make a model run the workflow. Rejects with InvalidParams for an unknown name. */
export async function getPrompt(
  session: ToolSession,
  name: string,
  given: Readonly<Record<string, string>>,
): Promise<GetPromptResult> {
  const { toolName } = session.settings()
  const entry = (await readWorkflows(session)).find((known) => known.name === name)
  if (entry === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no workflow "${name}"`)
  const filled = Object.entries(given).filter(([, text]) => text !== '')
  const only = filled.length === 1 && filled[0]?.[0] === ARGS_ARGUMENT.name ? filled[0][1] : undefined
  const args: JsonValue | undefined =
    only !== undefined
      ? parse(only)
      : filled.length > 0
        ? Object.fromEntries(filled.map(([field, text]) => [field, toField(text, field, entry.argsSchema)]))
        : undefined
  const input = JSON.stringify({ name, ...(args !== undefined && { args }) })
  const text = `Run the workflow "${name}": call the tool ${toolName} with exactly ${input} and report what it returns.`
  return {
    description: entry.description ?? '',
    messages: [{ role: 'user', content: { type: 'text', text } }],
  }
}

async function readWorkflows({ host, workspace }: ToolSession): Promise<WorkflowEntry[]> {
  const { workflows } = await host.call('workflows.list', { workspace })
  return workflows.filter(({ error, shadowedBy }) => error === null && shadowedBy === null)
}

function argumentsOf(schema: JsonValue | null): NonNullable<Prompt['arguments']> {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined
  if (!isJsonObject(schema) || !isJsonObject(properties) || Object.keys(properties).length === 0) return [ARGS_ARGUMENT]
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(properties).map(([name, field]) => ({
    name,
    required: required.includes(name),
    ...(isJsonObject(field) && typeof field['description'] === 'string' && { description: field['description'] }),
  }))
}

/** A field as its schema wants it: text stays text. */
function toField(text: string, name: string, schema: JsonValue | null): JsonValue {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined
  const field = isJsonObject(properties) ? properties[name] : undefined
  return isJsonObject(field) && field['type'] === 'string' ? text : parse(text)
}

function parse(text: string): JsonValue {
  try {
    // What JSON.parse makes is JSON data.
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}
