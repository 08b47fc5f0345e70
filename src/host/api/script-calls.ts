// `script.*`: findings about text that need not be a file.

import type { HostContext } from '../context.ts'
import { diagnoseJson } from '../workspace/diagnose-json.ts'
import type { HostCallHandlers } from './handlers.ts'

export function scriptCalls({ engine, catalog }: HostContext): Pick<HostCallHandlers, 'script.diagnose'> {
  return {
    'script.diagnose': async ({ text, fileName, workspace }) => {
      const json = diagnoseJson(text, fileName)
      if (json !== undefined) return { meta: null, diagnostics: json }
      const source = { text, fileName, path: null }
      if (workspace === undefined) return engine.diagnose(source)
      const { files } = await catalog.read(workspace)
      // `workflow()` takes a file's name as well as what its meta says.
      const known = new Set(files.flatMap((file) => [file.stem, ...(file.meta === null ? [] : [file.meta.name])]))
      return engine.diagnose(source, [...known])
    },
  }
}
