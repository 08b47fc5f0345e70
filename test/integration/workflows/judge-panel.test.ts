import { describe, expect, it } from 'vitest'
import { useWorkbench } from '../../support/cli/workbench.ts'
import { Repository } from '../../support/workflows/repository.ts'

const PATIENCE_MS = 300_000

const FILES = {
  'docs/a.md': ['PORT is explained here.'],
  'src/listen.js': ["import { PORT } from './port.js'", 'listen(PORT)'],
  'src/port.js': ['// The one place.', 'export const PORT = 4711'],
}
const ARGS = JSON.stringify({
  task: 'Which line defines `PORT`?',
  angles: ['guesser: from memory', 'hasty: the first hit', 'careful: read every hit'],
})

describe('weft run judge-panel, with judges that look into a real repository,', () => {
  it(
    'lets what is true win, without the judge that crashed, and takes over only what is true as well',
    async () => {
      const bench = useWorkbench()
      const overrule = { 'judge 2': { crash: 'out of luck' } }
      bench.useAgent('../workflows/working-agent.mjs', [], { WEFT_TEST_OVERRULE: JSON.stringify(overrule) })
      const repository = new Repository(bench.workspace)
      repository.commit('first', FILES)
      const before = repository.snapshot()

      const { code, document } = await bench.json('run', 'judge-panel', '--args', ARGS, '--concurrency', '4')

      expect(document['result']).toMatchObject({
        winner: 'careful',
        decidedBy: 'points',
        graft: { state: 'accepted' },
        standing: [
          { angle: 'careful', total: 54, firsts: 2 },
          { angle: 'guesser', total: 6 },
          { angle: 'hasty', total: 6 },
        ],
        judges: { asked: 3, answered: 2 },
        complete: false,
      })
      const { answer } = document['result'] as { answer: string } // Its shape is held by the unit tests.
      const places = answer.split('\n').map((line) => line.split(' ')[0])
      expect(places[0]).toBe(repository.place('src/port.js', 'const PORT ='))
      expect(places[1]).toBe(repository.place('docs/a.md', 'PORT'))
      expect({ code, degraded: document['degraded'], started: document['agentsStarted'] }).toEqual({
        code: 3,
        degraded: true,
        started: 8,
      })
      await bench.quiet()
      expect(repository.snapshot()).toEqual(before)
    },
    PATIENCE_MS,
  )
})
