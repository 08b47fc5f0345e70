// The only thing a page sees of Electron: HostApi calls, what the host pushes, the menu and the system's dialogs. Runs sandboxed.

import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron'
import type { BridgeReply, HostPush, OpenTarget, WeftBridge, WindowCommand } from '../shared/index.ts'

interface Messages {
  'weft:push': HostPush
  'weft:command': WindowCommand
  'weft:open': OpenTarget
}

/** Returns the function that ends it. */
function listen<Channel extends keyof Messages>(
  channel: Channel,
  listener: (message: Messages[Channel]) => void,
): () => void {
  const onMessage = (_event: IpcRendererEvent, message: Messages[Channel]): void => listener(message)
  ipcRenderer.on(channel, onMessage)
  return () => void ipcRenderer.off(channel, onMessage)
}

const bridge: WeftBridge = {
  kind: 'window',
  platform: process.platform,
  // Parameters travel as JSON text, as over every other wire: what arrives is plain data by construction.
  async call(name, params) {
    // Main answers nothing else.
    return (await ipcRenderer.invoke('weft:call', name, JSON.stringify(params ?? {}))) as BridgeReply
  },
  onPush: (listener) => listen('weft:push', listener),
  onCommand: (listener) => listen('weft:command', listener),
  onOpen(listener) {
    const end = listen('weft:open', listener)
    void ipcRenderer.invoke('weft:listening', null)
    return end
  },
  enableCommands: (commands) => ipcRenderer.invoke('weft:commands', commands),
  pickFile: (request) => ipcRenderer.invoke('weft:pick-file', request),
  act: (action) => ipcRenderer.invoke('weft:act', action),
}

contextBridge.exposeInMainWorld('weft', bridge)
