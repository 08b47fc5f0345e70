// Who listens to which push of the host. One listener that throws starves nobody.

import type { HostEventName, HostEvents, HostPush } from '../../../shared/index.ts'

export interface PushListeners {
  on<Name extends HostEventName>(name: Name, listener: (payload: HostEvents[Name]) => void): () => void
  emit(push: HostPush): void
}

export function createPushListeners(onError: (error: unknown) => void): PushListeners {
  const listeners = new Map<HostEventName, Set<(payload: never) => void>>()
  return {
    on(name, listener) {
      const known = listeners.get(name) ?? new Set()
      listeners.set(name, known)
      known.add(listener)
      return () => void known.delete(listener)
    },
    emit(push) {
      for (const listener of listeners.get(push.event) ?? []) {
        try {
          // The payload belongs to the event's name: the host is of the same API version, checked by `host.hello`.
          listener(push.payload as never)
        } catch (error) {
          onError(error)
        }
      }
    },
  }
}
