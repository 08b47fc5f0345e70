// What the tool server says about itself before anyone calls a tool: the same from the host and from the bridge, which
// answers for a host that is still coming up and so loads nothing of the SDK.

export const SERVER_NAME = 'weft'

export const DEFAULT_TOOL_NAME = 'workflow'

/** The SDK's own list, best first; a test compares them. */
export const LEGACY_PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const
export const MODERN_PROTOCOL_VERSIONS = ['2026-07-28'] as const

export const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
}

export function instructionsFor(toolName: string): string {
  return `Use the ${toolName} tool ONLY when the user explicitly asks for a workflow or for large multi-agent orchestration: you write a JavaScript script (the tool description documents the exact format) that fans work out across many subagents with phases and structured results. For one or two delegations, prefer plain subagent calls.`
}

/** The revision for a client that opens with `initialize`: the asked one if it is known, else the newest of that era. */
export function negotiateLegacy(requested: unknown): string {
  return LEGACY_PROTOCOL_VERSIONS.find((version) => version === requested) ?? LEGACY_PROTOCOL_VERSIONS[0]
}
