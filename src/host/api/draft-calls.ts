// `drafts.*`: unsaved text, for files that the session may write.

import type { HostContext } from '../context.ts'
import { locate, refuseReadOnly } from '../workspace/file-scope.ts'
import type { Caller, HostCallHandlers } from './handlers.ts'
import { scopeOf } from './workflow-calls.ts'

type DraftCalls = Pick<HostCallHandlers, 'drafts.list' | 'drafts.read' | 'drafts.write' | 'drafts.drop'>

export function draftCalls(context: HostContext): DraftCalls {
  const { drafts } = context
  const check = async (path: string, { identity }: Caller): Promise<void> => {
    refuseReadOnly(path, await locate(path, scopeOf(context, identity)))
  }
  return {
    'drafts.list': async (_params, caller) => {
      const known = await drafts.list()
      const own = await Promise.all(
        known.map(({ path }) =>
          check(path, caller).then(
            () => [path],
            () => [],
          ),
        ),
      )
      return { paths: own.flat() }
    },
    'drafts.read': async ({ path }, caller) => {
      await check(path, caller)
      return { draft: await drafts.read(path) }
    },
    'drafts.write': async (draft, caller) => {
      await check(draft.path, caller)
      await drafts.write(draft)
      return {}
    },
    'drafts.drop': async ({ path }, caller) => {
      await check(path, caller)
      await drafts.drop(path)
      return {}
    },
  }
}
