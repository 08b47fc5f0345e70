// The only thing a page sees of Electron: HostApi calls, what the host pushes, and menu commands. Runs sandboxed.

import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron'
import type { BridgeReply, HostPush, WeftBridge, WindowCommand } from '../shared/index.ts'

/** Returns the function that ends it. */
function listen<Message>(channel: string, listener: (message: Message) => void): () => void {
  const onMessage = (_event: IpcRendererEvent, message: Message): void => listener(message)
  ipcRenderer.on(channel, onMessage)
  return () => void ipcRenderer.off(channel, onMessage)
}

const bridge: WeftBridge = {
  kind: 'window',
  platform: process.platform,
  // Parameters travel as JSON text, as over every other wire: what arrives is plain data by construction.
  call: (name, params) => ipcRenderer.invoke('weft:call', name, JSON.stringify(params ?? {})) as Promise<BridgeReply>, // main answers nothing else
  onPush: (listener) => listen<HostPush>('weft:push', listener),
  onCommand: (listener) => listen<WindowCommand>('weft:command', listener),
}

contextBridge.exposeInMainWorld('weft', bridge)
