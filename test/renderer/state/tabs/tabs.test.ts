import { describe, expect, it } from 'vitest'
import {
  activateTab,
  closeTab,
  dryTab,
  fileTab,
  neighbourTab,
  NO_TABS,
  openTab,
  recallTabs,
  rememberTabs,
  runTab,
  sharedTitles,
} from '../../../../src/renderer/state/tabs/tabs.ts'
import { asRunId } from '../../../../src/shared/index.ts'

const a = fileTab('/w/a.js', 'a.js')
const b = fileTab('/w/b.js', 'b.js')
const run = runTab(asRunId('01J'), 'sample')
const three = [a, b, run].reduce(openTab, NO_TABS)
const ids = (state: typeof three): string[] => state.tabs.map((tab) => tab.id)

describe('tabs', () => {
  it('open right of the active one and become active', () => {
    const state = openTab(activateTab(three, a.id), dryTab('/w/a.js', 'sample'))
    expect({ ids: ids(state), active: state.active }).toEqual({
      ids: [a.id, 'dry:/w/a.js', b.id, run.id],
      active: 'dry:/w/a.js',
    })
  })

  it('open once: the same file again is the same tab', () => {
    const state = openTab(three, a)
    expect({ ids: ids(state), active: state.active }).toEqual({ ids: [a.id, b.id, run.id], active: a.id })
  })

  it('give way to the right neighbour when the active one closes, at the end to the left one', () => {
    expect(closeTab(activateTab(three, a.id), a.id).active).toBe(b.id)
    expect(closeTab(three, run.id).active).toBe(b.id)
    expect(closeTab(openTab(NO_TABS, a), a.id)).toEqual({ tabs: [], active: null })
  })

  it('stay as they are when another one closes', () => {
    expect(closeTab(three, a.id).active).toBe(run.id)
  })

  it('have neighbours around the ends', () => {
    expect([neighbourTab(three, 1), neighbourTab(three, -1), neighbourTab(NO_TABS, 1)]).toEqual([a.id, b.id, null])
  })

  it('are remembered but for dry runs', () => {
    const state = openTab(three, dryTab('/w/a.js', 'sample'))
    const recalled = recallTabs(JSON.parse(JSON.stringify(rememberTabs(state))))
    expect({ ids: ids(recalled), active: recalled.active }).toEqual({ ids: [a.id, b.id, run.id], active: a.id })
  })

  it('that have the same title are known as such', () => {
    const tabs = [fileTab('/a/x.js', 'x.js'), fileTab('/b/x.js', 'x.js'), fileTab('/a/y.js', 'y.js')]
    expect([...sharedTitles(tabs)]).toEqual(['x.js'])
    expect([...sharedTitles(tabs.slice(1))]).toEqual([])
  })

  it('are none when what was remembered makes no sense', () => {
    expect([undefined, 7, { tabs: 'x' }, { tabs: [{ kind: 'file' }, null] }].map(recallTabs)).toEqual([
      NO_TABS,
      NO_TABS,
      NO_TABS,
      NO_TABS,
    ])
  })
})
