// `npm run screenshots`: pictures of the built window while it works on a real repository with real agent processes, each
// view in both themes. `-- --size 2560x1440 --out FOLDER` takes them at another size, to be judged only.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeHome } from '../test/support/app/home.ts'
import { launchBrowser } from '../test/support/browser/launch-browser.ts'
import { WindowPage } from '../test/support/pages/window-page.ts'
import { pictureAuthoring, pictureSettings } from './screenshots/author-views.ts'
import { makeCamera } from './screenshots/camera.ts'
import { picturePermission, pictureRuns } from './screenshots/operator-views.ts'
import { fillWorkspace } from './screenshots/workspace.ts'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '1280x720' },
    out: { type: 'string', default: join(root, 'docs/images') },
  },
})
const [width = 1280, height = 720] = values.size.split('x').map(Number)

const home = makeHome()
fillWorkspace(home)
const hold = join(home.dataDir, 'hold')
home.writeSettings({
  backends: {
    honest: {
      kind: 'command',
      protocol: 'jsonl',
      command: [process.execPath, join(root, 'scripts/screenshots/held-agent.mjs')],
      env: { WEFT_HOLD: hold },
    },
  },
  defaultBackend: 'honest',
  maxConcurrentAgents: 3,
})
mkdirSync(values.out, { recursive: true })

const app = await launchBrowser({ home })
try {
  const { page } = app
  const window = new WindowPage(page)
  await page.setViewportSize({ width, height })
  // Colours change at once then, instead of being caught half way.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await window.waitUntilReady()
  const picture = makeCamera(page, values.out)
  await pictureAuthoring(window, picture, home.workspace)
  await pictureRuns(window, picture, hold)
  await picturePermission(window, picture)
  // Without the paths of the machine that takes the pictures.
  home.writeSettings({ backends: { claude: { kind: 'acp', command: ['claude-agent-acp'] } }, defaultBackend: 'claude' })
  const codex = join(home.env['HOME'] ?? '', '.codex')
  mkdirSync(codex)
  writeFileSync(join(codex, 'config.toml'), 'model_reasoning_effort = "high"\n')
  await pictureSettings(window, picture, [
    [home.workspace, '~/shop'],
    [home.env['HOME'] ?? '', '~'],
    [home.env['XDG_CONFIG_HOME'] ?? '', '~/.config'],
    [home.dataDir, '~/.local/share/weft'],
    [process.execPath, 'node'],
    [root, '~/weft'],
  ])
} catch (error) {
  await app.page.screenshot({ path: join(values.out, 'failed.png') })
  throw error
} finally {
  await app.close()
  home.remove()
}
if (app.problems.length > 0) throw new Error(app.problems.join('\n'))
