// What may be done about an agent: the entries of its context menu.

import { Copy, RotateCcw, SkipForward, Square } from 'lucide-react'
import type { AgentState } from '../../../shared/index.ts'
import { refuseAgentAction, type AgentAction } from '../../state/runs/run-controls.ts'
import type { RunSession } from '../../state/runs/run-session.ts'
import { useApp } from '../../ui/app-context.tsx'
import type { MenuEntries, MenuEntry } from '../../ui/menu.tsx'
import { commandShortcut } from '../../state/shortcuts.ts'

export const AGENT_ACTIONS: readonly { action: AgentAction; label: string; Icon: typeof Square; hint: string }[] = [
  { action: 'skip', label: 'Skip', Icon: SkipForward, hint: 'The script gets null and goes on.' },
  { action: 'retry', label: 'Retry', Icon: RotateCcw, hint: 'Ends this attempt and starts the agent again.' },
  { action: 'stop', label: 'Stop agent', Icon: Square, hint: 'Ends the agent as cancelled; the script gets null.' },
]

/** Undefined where there is no agent. */
export function useAgentMenu(session: RunSession, agent: AgentState | undefined): MenuEntries | undefined {
  const app = useApp()
  if (agent === undefined) return undefined
  const view = session.view.getState()
  const { runId } = session
  const steps: MenuEntry[] = AGENT_ACTIONS.map(({ action, label, Icon }) => ({
    label,
    icon: <Icon size={13} />,
    shortcut: commandShortcut(`${action}-agent`),
    danger: action === 'stop',
    refusal: runId === undefined ? 'A dry run is over already.' : refuseAgentAction(view, agent, action),
    onSelect: () => runId !== undefined && void app.steering.agent(runId, agent, action),
  }))
  return [
    { label: 'Show agent', onSelect: () => session.tree.select(agent.agent) },
    'separator',
    ...steps,
    'separator',
    {
      label: 'Copy label',
      icon: <Copy size={13} />,
      onSelect: () =>
        void navigator.clipboard
          .writeText(agent.label)
          .catch(() => app.notices.error('The clipboard is not available.')),
    },
  ]
}
