// What a caller names, as the script text that will run.

import { stat } from 'node:fs/promises'
import { basename, isAbsolute, resolve } from 'node:path'
import type { Static } from 'typebox'
import { HostError } from '../../shared/index.ts'
import type { ScriptSource } from '../../shared/contract/call-schemas.ts'
import type { ScriptText } from '../../engine/index.ts'
import type { WorkflowCatalog } from '../workspace/catalog.ts'
import { declaresMeta, readScriptFile } from '../workspace/read-script.ts'
import { resolveByName } from '../workspace/workflow-source.ts'

/** The script that a source means in a workspace. Rejects with NOT_FOUND or BAD_REQUEST, or as the catalog does. */
export async function resolveSource(
  source: Static<typeof ScriptSource>,
  workspace: string,
  catalog: WorkflowCatalog,
): Promise<ScriptText> {
  switch (source.kind) {
    case 'name':
      return resolveByName(catalog, workspace, source.name)
    case 'path': {
      const path = resolve(workspace, source.path)
      const text = await readScriptFile(path)
      if (!declaresMeta(text)) throw notAWorkflow(path)
      return { text, fileName: basename(path), path }
    }
    case 'text': {
      const path = source.path === undefined ? null : resolve(workspace, source.path)
      const fileName = source.fileName ?? (path === null ? 'script.js' : basename(path))
      return { text: source.text, fileName, path, ...(source.meta !== undefined && { meta: source.meta }) }
    }
  }
}

/** Throws BAD_REQUEST unless `workspace` is the absolute path of a folder. */
export async function checkWorkspace(workspace: string): Promise<void> {
  const refuse = (why: string): HostError =>
    new HostError({ code: 'BAD_REQUEST', message: `The workspace ${workspace} ${why}` })
  if (!isAbsolute(workspace)) throw refuse('has to be an absolute path')
  const found = await stat(workspace).catch(() => undefined)
  if (found === undefined) throw refuse('does not exist')
  if (!found.isDirectory()) throw refuse('is not a folder')
}

function notAWorkflow(path: string): HostError {
  return new HostError({
    code: 'BAD_REQUEST',
    message: `${path} is not a workflow: it has no \`export const meta = { name: …, description: … }\``,
  })
}
