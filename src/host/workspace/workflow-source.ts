// The engine's WorkflowSource: what `workflow('name')` and `workflow({ scriptPath })` mean for a run in a workspace.

import { basename, dirname, resolve } from 'node:path'
import { nearestName } from '../../shared/index.ts'
import { WorkflowError, type ScriptText, type WorkflowSource } from '../../engine/index.ts'
import { isInside, realPathOf } from '../lib/files.ts'
import { findByName, type Catalog, type WorkflowCatalog } from './catalog.ts'
import { readScriptFile } from './read-script.ts'

/** Resolves names through the catalog and paths within the workspace, the workflow folders and the calling script's own. */
export function createWorkflowSource(catalog: WorkflowCatalog, workspace: string): WorkflowSource {
  return {
    async resolve(reference, from) {
      if (typeof reference === 'string') return resolveByName(catalog, workspace, reference)
      return resolveByPath(catalog, workspace, reference.scriptPath, from)
    },
  }
}

/** The script that a name means. Rejects with UNKNOWN_WORKFLOW, saying what is known. */
export async function resolveByName(catalog: WorkflowCatalog, workspace: string, name: string): Promise<ScriptText> {
  const found = await catalog.read(workspace)
  const file = findByName(found, name)
  if (file === undefined) throw unknownWorkflow(found, name)
  // A file that could not be read has no text to be judged by: its error is all there is.
  if (file.text === '' && file.error !== null)
    throw new WorkflowError('UNKNOWN_WORKFLOW', `The workflow "${name}" (${file.path}) can't be used: ${file.error}`)
  return { text: file.text, fileName: file.fileName, path: file.path }
}

function unknownWorkflow(catalog: Catalog, name: string): WorkflowError {
  const helper = catalog.helpers.find(({ stem }) => stem === name)
  if (helper !== undefined)
    return new WorkflowError(
      'UNKNOWN_WORKFLOW',
      `"${name}" is not a workflow: ${helper.path} has no \`export const meta = { … }\``,
    )
  const known = [...new Set(catalog.files.map((file) => file.meta?.name ?? file.stem))].sort()
  const near = nearestName(name, known)
  const isPath = /[/\\]|\.(?:[cm]?js|ts)$/.test(name)
  const advice = isPath
    ? `. To call a file, name it as one: { scriptPath: ${JSON.stringify(name)} }.`
    : near === undefined
      ? '.'
      : `, did you mean "${near}"?`
  const list = known.length > 0 ? `Known are ${known.join(', ')}.` : 'No workflow is known here.'
  return new WorkflowError('UNKNOWN_WORKFLOW', `There is no workflow "${name}"${advice} ${list}`)
}

async function resolveByPath(
  catalog: WorkflowCatalog,
  workspace: string,
  scriptPath: string,
  from: string | null,
): Promise<ScriptText> {
  const base = from === null ? workspace : dirname(from)
  const path = resolve(base, scriptPath)
  const roots = [workspace, base, ...catalog.folders(workspace).map((folder) => folder.path)]
  const real = await realPathOf(path)
  const allowed = await Promise.all(roots.map(realPathOf))
  if (!allowed.some((root) => isInside(real, root)))
    throw new WorkflowError(
      'UNKNOWN_WORKFLOW',
      `${scriptPath} leads out of the workspace: a script may call files of its own folder, of the workspace (${workspace}) and of the workflow folders`,
    )
  try {
    return { text: await readScriptFile(path), fileName: basename(path), path }
  } catch (error) {
    throw new WorkflowError('UNKNOWN_WORKFLOW', error instanceof Error ? error.message : String(error), {
      cause: error,
    })
  }
}
