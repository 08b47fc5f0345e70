// What every agent is told ahead of the script's own prompt. It is no part of the prompt and no part of the call's key.

/**
 * The framing of one call: who is asking, and what becomes of the answer. `structured` says that a JSON Schema goes with
 * the call.
 */
export function agentFraming(options: { structured: boolean }): string {
  return [
    'You are one agent of an automated workflow. This session is non-interactive: nobody reads along and nobody answers questions, so decide for yourself and finish.',
    options.structured
      ? 'Your final answer is data for a script: give exactly the JSON value that the schema asks for.'
      : 'Your final message is data for a script: give the result itself, without greeting or summary of what you did.',
    'Do not start workflows from within.',
  ].join(' ')
}
