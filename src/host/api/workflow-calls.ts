// `workflows.*`: what can be run here, and the files it is made of.

import type { HostContext } from '../context.ts'
import type { SessionIdentity } from '../host.ts'
import { checkWorkspace } from '../runs/resolve-source.ts'
import { readWorkflowFile, saveWorkflowFile, type FileScope } from '../workspace/workflow-files.ts'
import type { HostCallHandlers } from './handlers.ts'

export function workflowCalls({
  catalog,
}: HostContext): Pick<HostCallHandlers, 'workflows.list' | 'workflows.read' | 'workflows.save'> {
  const scopeOf = ({ workspace, open }: SessionIdentity): FileScope => ({
    workspace,
    folders: catalog.folders(workspace),
    open,
  })
  return {
    'workflows.list': async ({ workspace }, caller) => {
      await checkWorkspace(workspace)
      caller.watchWorkflows(workspace)
      return { workflows: await catalog.list(workspace) }
    },
    'workflows.read': ({ path }, { identity }) => readWorkflowFile(path, scopeOf(identity)),
    'workflows.save': (params, { identity }) => saveWorkflowFile(params, scopeOf(identity)),
  }
}
