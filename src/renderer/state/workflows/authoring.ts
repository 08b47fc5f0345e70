// What an author does with whole files: make one from a pattern, save it under another name, rename it, delete it, open the
// fixtures and the args schema beside it.

import { HostError, type HostClient, type RunId } from '../../../shared/index.ts'
import type { Documents } from '../documents/documents.ts'
import { messageOf } from '../message-of.ts'
import type { Notices } from '../notices.ts'
import { scriptOf, type Pattern } from './patterns.ts'
import type { WorkflowList } from './workflow-list.ts'
import {
  companionPath,
  folderOf,
  joinPath,
  renameInText,
  scriptPathOf,
  stemOf,
  type CompanionKind,
} from './workflow-names.ts'

interface AuthoringParts {
  client: HostClient
  workspace: string
  documents: Documents
  workflows: WorkflowList
  notices: Notices
  /** Opens the file in a tab. */
  openFile(path: string): Promise<void>
  /** Closes the file's tab, unsaved text and all. */
  closeFile(path: string): void
  /** Labels of agents of the file's last dry run. */
  labelsOf(path: string): readonly string[]
}

export function createAuthoring(parts: AuthoringParts) {
  const { client, workspace, documents, workflows, notices, openFile, closeFile } = parts
  const projectFolder = joinPath(workspace, 'workflows')

  /** Where a copy of the file goes: beside it, or into the project for one that can't be written. */
  const folderFor = (path: string): string => (documents.get(path)?.writable === false ? projectFolder : folderOf(path))
  const endingOf = (path: string): string => path.slice(path.lastIndexOf('.'))
  const show = async (path: string, text: string): Promise<void> => {
    await documents.create(path, text)
    await openFile(path)
    await workflows.refresh()
  }

  return {
    projectFolder,
    folderFor,
    scriptFor: (path: string): string | undefined => scriptPathOf(path, workflows.store.getState().entries),

    /** Makes `<name>.js` in the project's folder and opens it. Rejects with HostError. */
    create: (name: string, pattern: Pattern): Promise<void> =>
      show(joinPath(projectFolder, `${name}.js`), scriptOf(pattern, name)),

    /** Saves the text as it stands under another name and opens that. Rejects with HostError. */
    async saveAs(path: string, name: string): Promise<void> {
      const text = renameInText(documents.textOf(path), name)
      await show(joinPath(folderFor(path), name + endingOf(path)), text)
    },

    /** Makes a workflow of the script that a run used. Rejects with HostError. */
    async saveRunScript(runId: RunId, name: string): Promise<void> {
      const { text, fileName } = await client.call('run.script', { runId })
      await show(joinPath(projectFolder, name + endingOf(fileName)), renameInText(text, name))
    },

    /** Renames file and companions, and the name in meta where it was the same. Rejects with HostError. */
    async rename(path: string, name: string): Promise<void> {
      const document = documents.get(path)
      if (document?.dirty && !(await documents.save(path))) return
      const to = joinPath(folderOf(path), name + endingOf(path))
      const file = await client.call('workflows.rename', { path, to })
      const text = renameInText(file.text, name, stemOf(path))
      if (text !== file.text) await client.call('workflows.save', { path: to, text, baseHash: file.hash })
      for (const kind of ['fixtures', 'args-schema'] as const) closeFile(companionPath(path, kind))
      await openFile(to)
      closeFile(path)
      await workflows.refresh()
    },

    /** Deletes file and companions. Rejects with HostError. */
    async remove(path: string): Promise<void> {
      const document = documents.get(path)
      if (document === undefined) return
      const { deleted } = await client.call('workflows.delete', { path, baseHash: document.hash })
      for (const gone of new Set([path, ...deleted])) closeFile(gone)
      await workflows.refresh()
    },

    /** Opens the JSON file beside a script, made from what is known where there is none yet. */
    async openCompanion(scriptPath: string, kind: CompanionKind): Promise<void> {
      const path = companionPath(scriptPath, kind)
      try {
        const text = kind === 'fixtures' ? fixturesFor(parts.labelsOf(scriptPath)) : ARGS_SCHEMA
        await documents.create(path, text).catch((error: unknown) => {
          if (!(error instanceof HostError && error.code === 'CONFLICT')) throw error
        })
        await openFile(path)
      } catch (error) {
        notices.error(`${path} can't be opened: ${messageOf(error)}`)
      }
    },

    /** Saves open fixtures of the script, so that the next dry run answers by what is on screen. */
    async saveFixtures(scriptPath: string): Promise<void> {
      const path = companionPath(scriptPath, 'fixtures')
      if (documents.get(path)?.dirty) await documents.save(path)
    },
  }
}

export type Authoring = ReturnType<typeof createAuthoring>

const EXAMPLES = 5

/** An answer for each of the first agents of a dry run; an example without one. */
function fixturesFor(labels: readonly string[]): string {
  const known = [...new Set(labels)].slice(0, EXAMPLES)
  const calls = (known.length > 0 ? known : ['first agent']).map((label) => ({ match: { label }, delayMs: 1000 }))
  return `${JSON.stringify({ description: 'What simulated agents answer: give an answer, error or skip.', calls }, null, 2)}\n`
}

const ARGS_SCHEMA = `${JSON.stringify(
  {
    type: 'object',
    properties: { topic: { type: 'string', description: 'What the run is about.' } },
    required: ['topic'],
    additionalProperties: false,
  },
  null,
  2,
)}
`
