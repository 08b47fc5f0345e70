import { afterEach, expect, it, vi } from 'vitest'
import { WINDOW_COMMANDS } from '../../../src/shared/index.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

async function textOn(platform: string): Promise<(binding: string) => string> {
  vi.stubGlobal('navigator', { platform })
  return (await import('../../../src/renderer/ui/shortcut-text.ts')).shortcutText
}

it('names the keys as they are printed on a keyboard', async () => {
  const text = await textOn('Linux x86_64')
  expect(['$mod+Shift+p', 'Control+PageDown', 'Shift+?', '$mod+.'].map(text)).toEqual([
    'Ctrl+Shift+P',
    'Ctrl+Page Down',
    '?',
    'Ctrl+.',
  ])
})

it('takes the signs of a Mac there', async () => {
  const text = await textOn('MacIntel')
  expect(['$mod+Shift+p', 'Control+PageUp', '$mod+Alt+Enter'].map(text)).toEqual(['⌘⇧P', '⌃⇞', '⌘⌥↩'])
})

it('leaves no name of the binding language in any command', async () => {
  const text = await textOn('Win32')
  for (const { shortcut } of WINDOW_COMMANDS)
    if (shortcut !== undefined) expect(text(shortcut)).not.toMatch(/\$mod|Control|PageUp|PageDown/)
})
