// `workflows.*`: what can be run here, and the files it is made of.

import type { HostContext } from '../context.ts'
import type { SessionIdentity } from '../host.ts'
import { checkWorkspace } from '../runs/resolve-source.ts'
import type { FileScope } from '../workspace/file-scope.ts'
import { deleteWorkflowFile, renameWorkflowFile } from '../workspace/move-files.ts'
import { readWorkflowFile, saveWorkflowFile } from '../workspace/workflow-files.ts'
import type { HostCallHandlers } from './handlers.ts'

type WorkflowCalls = Pick<
  HostCallHandlers,
  'workflows.list' | 'workflows.read' | 'workflows.save' | 'workflows.rename' | 'workflows.delete'
>

export function workflowCalls(context: HostContext): WorkflowCalls {
  const { catalog } = context
  return {
    'workflows.list': async ({ workspace }, caller) => {
      await checkWorkspace(workspace)
      caller.watchWorkflows(workspace)
      return { workflows: await catalog.list(workspace) }
    },
    'workflows.read': ({ path }, { identity }) => readWorkflowFile(path, scopeOf(context, identity)),
    'workflows.save': (params, { identity }) => saveWorkflowFile(params, scopeOf(context, identity)),
    'workflows.rename': (params, { identity }) => renameWorkflowFile(params, scopeOf(context, identity)),
    'workflows.delete': (params, { identity }) => deleteWorkflowFile(params, scopeOf(context, identity)),
  }
}

/** What the session may open. */
export function scopeOf({ catalog }: HostContext, { workspace, open }: SessionIdentity): FileScope {
  return { workspace, folders: catalog.folders(workspace), open }
}
