// Model, effort and mode of a session, by what the agent offers. What it doesn't offer is refused before the first prompt.

import { methods, type ClientContext, type NewSessionResponse } from '@agentclientprotocol/sdk/unstable'
import { nearestName } from '../../shared/index.ts'
import { listAt, objectAt, textAt } from '../command/presets/events.ts'
import { toJson } from '../to-json.ts'

/** Why the wish can't be had, in words; undefined when the agent has taken it. */
export async function chooseOption(
  agent: ClientContext,
  session: NewSessionResponse,
  wish: { category: string; name: string; value: string },
): Promise<string | undefined> {
  const { category, name, value } = wish
  const { sessionId } = session
  const option = session.configOptions?.find((one) => one.category === category || one.id === category)
  if (option?.type === 'select') {
    const values = option.options.flatMap((one) =>
      'value' in one ? [one.value] : one.options.map((inner) => inner.value),
    )
    if (!values.includes(value)) return describeMissing(name, value, values)
    await agent.request(methods.agent.session.setConfigOption, { sessionId, configId: option.id, value })
    return undefined
  }
  if (category === 'mode' && session.modes?.availableModes.some(({ id }) => id === value)) {
    await agent.request(methods.agent.session.setMode, { sessionId, modeId: value })
    return undefined
  }
  if (category === 'model') return chooseOlderModel(agent, session, value)
  return `the agent offers no choice of the ${name}`
}

/** Before there were options of a session, models had a list and a method of their own. */
async function chooseOlderModel(
  agent: ClientContext,
  session: NewSessionResponse,
  modelId: string,
): Promise<string | undefined> {
  const offered = listAt(objectAt(toJson(session), 'models'), 'availableModels')
  if (offered.length === 0) return 'the agent offers no choice of the model'
  const ids = offered.flatMap((model) => textAt(model, 'modelId') ?? [])
  if (!ids.includes(modelId)) return describeMissing('model', modelId, ids)
  await agent.request('session/set_model', { sessionId: session.sessionId, modelId })
  return undefined
}

function describeMissing(name: string, value: string, values: readonly string[]): string {
  const near = nearestName(value, values)
  const offered = near === undefined ? `it offers ${values.slice(0, 20).join(', ')}` : `did you mean "${near}"?`
  return `the agent does not know the ${name} "${value}": ${offered}`
}
