import { expect, it } from 'vitest'
import { createBridgeClient } from '../../../../src/renderer/state/client/bridge-client.ts'
import type { BridgeReply, HostPush, WeftBridge } from '../../../../src/shared/index.ts'

function bridgeThatAnswers(reply: BridgeReply) {
  const listeners = new Set<(push: HostPush) => void>()
  const bridge: WeftBridge = {
    kind: 'window',
    platform: 'linux',
    call: () => Promise.resolve(reply),
    onPush(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  return { bridge, listeners }
}

it('unwraps an answer', async () => {
  const { bridge } = bridgeThatAnswers({ ok: true, value: { workflows: [] } })
  expect(await createBridgeClient(bridge).call('workflows.list', { workspace: '/w' })).toEqual({ workflows: [] })
})

it('makes a HostError of a refusal', async () => {
  const { bridge } = bridgeThatAnswers({ ok: false, error: { code: 'CONFLICT', message: 'changed on disk' } })
  await expect(createBridgeClient(bridge).call('host.status', {})).rejects.toMatchObject({
    name: 'HostError',
    code: 'CONFLICT',
    message: 'changed on disk',
  })
})

it('hands a push to the listeners of its event, whatever one of them throws', () => {
  const { bridge, listeners } = bridgeThatAnswers({ ok: true, value: null })
  const errors: unknown[] = []
  const client = createBridgeClient(bridge, (error) => errors.push(error))
  const heard: string[] = []
  client.on('workflows.changed', () => {
    throw new Error('a broken listener')
  })
  const end = client.on('workflows.changed', ({ workspace }) => heard.push(workspace))
  const push = (): void =>
    listeners.forEach((listen) => listen({ event: 'workflows.changed', payload: { workspace: '/w' } }))
  push()
  end()
  push()
  expect(heard).toEqual(['/w'])
  expect(errors).toHaveLength(2)
})

it('listens no more and refuses calls once it is closed', async () => {
  const { bridge, listeners } = bridgeThatAnswers({ ok: true, value: null })
  const client = createBridgeClient(bridge)
  client.close()
  expect(listeners.size).toBe(0)
  await expect(client.call('host.status', {})).rejects.toMatchObject({ code: 'CLOSED' })
})
