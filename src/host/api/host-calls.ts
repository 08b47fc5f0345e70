// `host.*` and `workspace.*`: who is there, how it is, and what this client was opened for.

import { API_VERSION, asRunId, HostError, type HostStatus } from '../../shared/index.ts'
import type { HostContext } from '../context.ts'
import { examine } from '../doctor/examine.ts'
import { readOwner } from '../lock/read-owner.ts'
import type { HostCallHandlers } from './handlers.ts'

export function hostCalls(
  context: HostContext,
): Pick<HostCallHandlers, 'host.hello' | 'host.status' | 'host.doctor' | 'workspace.initial'> {
  const { version } = context.options
  return {
    'host.hello': ({ apiVersion }) => {
      if (apiVersion !== API_VERSION)
        throw new HostError({
          code: 'VERSION_MISMATCH',
          message: `This host (Weft ${version}) speaks version ${API_VERSION} of its API, the client version ${apiVersion}: update the older one`,
        })
      return { apiVersion: API_VERSION, hostVersion: version, pid: process.pid }
    },
    'host.status': () => readStatus(context),
    'host.doctor': () => {
      const { dataDir, env } = context.options
      return examine({
        dataDir,
        env,
        platform: process.platform,
        host: { pid: process.pid, version, socket: readOwner(dataDir)?.socket ?? null },
        check: () => context.store.checkIntegrity(),
        isRun: (runId) => context.store.readRow(asRunId(runId)) !== undefined,
      })
    },
    'workspace.initial': (_params, { identity }) => ({
      workspace: identity.workspace,
      open: identity.open ?? null,
    }),
  }
}

export function readStatus(context: HostContext): HostStatus {
  return {
    pid: process.pid,
    version: context.options.version,
    dataDir: context.options.dataDir,
    liveRuns: context.live.size,
    runningAgents: context.live.runningAgents,
    clients: context.clients(),
    harnesses: context.harnesses(),
    warnings: context.warnings,
  }
}
