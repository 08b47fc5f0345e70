// The calls of an author's actions on a disk in memory: files, drafts, settings.

import { HostError, isJsonObject, type Draft, type JsonValue } from '../../../src/shared/index.ts'
import type { FakeHost } from './fake-host.ts'

export class SampleFiles {
  /** What is on disk, by path. */
  readonly disk: Map<string, string>
  readonly drafts = new Map<string, Draft>()
  settings: JsonValue = {
    backends: { claude: { kind: 'acp', command: ['claude-agent-acp'], later: true } },
    maxConcurrentAgents: 8,
  }

  constructor(disk: Map<string, string>) {
    this.disk = disk
  }

  handlers(): FakeHost['handlers'] {
    return {
      'drafts.list': () => ({ paths: [...this.drafts.keys()] }),
      'drafts.read': ({ path }) => ({ draft: this.drafts.get(path) ?? null }),
      'drafts.write': (draft) => {
        this.drafts.set(draft.path, draft)
        return {}
      },
      'drafts.drop': ({ path }) => {
        this.drafts.delete(path)
        return {}
      },
      'workflows.rename': ({ path, to }) => {
        const text = this.disk.get(path) ?? ''
        this.disk.delete(path)
        this.disk.set(to, text)
        return { path: to, fileName: to.slice(to.lastIndexOf('/') + 1), text, hash: `hash of ${text}`, writable: true }
      },
      'workflows.delete': ({ path }) => {
        this.disk.delete(path)
        return { deleted: [path] }
      },
      'settings.get': () => ({
        settings: this.settings,
        path: '/data/settings.json',
        errors: [],
        warnings: [],
        text: JSON.stringify(this.settings, null, 2),
      }),
      'settings.set': ({ settings }) => {
        const violations = violationsOf(settings)
        if (violations.length > 0)
          throw new HostError({ code: 'BAD_REQUEST', message: 'The settings were not saved', violations })
        // What comes over a wire is JSON.
        this.settings = settings as JsonValue
        return { settings: this.settings }
      },
      'run.script': () => ({ text: "return 'as it was'\n", fileName: 'review-changes.js', hash: 'h' }),
    }
  }
}

/** One of the host's rules is enough to see how refusals are shown. */
function violationsOf(settings: unknown): string[] {
  const retries = isJsonObject(settings) ? settings['agentRetries'] : undefined
  return typeof retries === 'number' && retries > 100 ? [`agentRetries must be <= 100, not ${retries}`] : []
}
