// A host's side of Settings > Connections: three harnesses in memory, whose files are written as they are asked to be.

import { HostError, type ConnectionPreview, type HarnessConnection } from '../../../src/shared/index.ts'
import type { FakeHost } from './fake-host.ts'

const FILES: Record<string, string> = {
  codex: '/home/me/.codex/config.toml',
  opencode: '/home/me/.config/opencode/opencode.json',
}

export class SampleConnections {
  /** Ids of harnesses whose file holds our entry. */
  readonly written = new Set<string>()
  /** What the file of each is like right now. */
  hash = 'as-it-was'

  handlers(): FakeHost['handlers'] {
    return {
      'connections.list': () => ({ harnesses: this.#list() }),
      'connections.preview': ({ harness, remove }) => this.#preview(harness, remove === true),
      'connections.connect': ({ harness, hash }) => this.#write(harness, hash, true),
      'connections.disconnect': ({ harness, hash }) => this.#write(harness, hash, false),
    }
  }

  #list(): HarnessConnection[] {
    const file = (id: string) => ({
      scope: 'user' as const,
      path: FILES[id] ?? `/home/me/.${id}.json`,
      exists: true,
      state: this.written.has(id) ? ('connected' as const) : ('absent' as const),
      problem: null,
    })
    const broken = { ...file('zed'), state: 'unreadable' as const, problem: 'line 3, column 2: a comma is missing' }
    return [
      { id: 'zed', title: 'Zed', program: null, found: false, files: [broken], clientNames: ['zed'], notes: [] },
      {
        id: 'codex',
        title: 'Codex',
        program: '/usr/bin/codex',
        found: true,
        files: [file('codex')],
        clientNames: ['codex'],
        notes: ['It ends a call after 300 s.'],
      },
      {
        id: 'opencode',
        title: 'opencode',
        program: null,
        found: true,
        files: [file('opencode')],
        clientNames: ['opencode'],
        notes: [],
      },
    ]
  }

  #preview(id: string, remove: boolean): ConnectionPreview {
    const entry = `[mcp_servers.weft]\ncommand = "weft"\nargs = ["mcp"]\n`
    const lines = entry.trimEnd().split('\n')
    const unchanged = this.written.has(id) !== remove
    return {
      path: FILES[id] ?? '',
      exists: true,
      unchanged,
      entry,
      line: 12,
      removed: remove && !unchanged ? lines : [],
      added: remove || unchanged ? [] : lines,
      hash: this.hash,
      notes: ['It ends a call after 300 s.'],
    }
  }

  #write(id: string, hash: unknown, there: boolean) {
    if (hash !== this.hash)
      throw new HostError({ code: 'CONFLICT', message: `${FILES[id]} was changed meanwhile; nothing was touched` })
    if (there) this.written.add(id)
    else this.written.delete(id)
    return { path: FILES[id] ?? '', changed: true, backup: `${FILES[id]}.before-weft` }
  }
}
