// The workflow that scenarios work with, and agents for it.

import { resolve } from 'node:path'
import type { Home } from '../app/home.ts'

const agents = resolve(import.meta.dirname, '../agents')

export const SAMPLE_FILE = 'two-steps.js'
export const SAMPLE = `export const meta = {
  name: 'two-steps',
  description: 'Asks two agents at once, then one.',
  phases: [{ title: 'Ask' }, { title: 'Sum up' }],
}

phase('Ask')
const answers = await parallel(['left', 'right'].map((side) => () => agent(\`Look \${side}.\`, { label: \`look \${side}\` })))
log('both looked')
phase('Sum up')
return { answers, sum: await agent('Sum up.', { label: 'sum up' }) }
`

export function addSample(home: Home): string {
  return home.addFile(`workflows/${SAMPLE_FILE}`, SAMPLE)
}

/** Makes a program of test/support/agents the back end that runs take. */
export function useAgent(home: Home, program: string, env: Record<string, string> = {}): void {
  home.writeSettings({
    backends: {
      tested: { kind: 'command', protocol: 'jsonl', command: [process.execPath, resolve(agents, program)], env },
    },
    defaultBackend: 'tested',
    // The default goes by the machine's cores, and may be one.
    maxConcurrentAgents: 4,
  })
}
