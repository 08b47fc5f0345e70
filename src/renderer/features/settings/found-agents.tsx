// Agents of this machine that could be back ends: installed, version, signed in, what each supports.

import { Search } from 'lucide-react'
import { useStore } from 'zustand'
import type { FoundAgent } from '../../../shared/index.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './found-agents.module.css'

export function FoundAgents() {
  const { backendFinder } = useApp()
  const { looking, found, error } = useStore(backendFinder.store)
  const installed = found?.filter(({ installed: there, signedIn, program }) => there && (program !== null || signedIn))
  return (
    <div className={styles['found']}>
      <div>
        <Button
          icon={<Search size={14} aria-hidden />}
          aria-disabled={looking}
          onClick={() => void backendFinder.look()}
        >
          {looking ? 'Looking…' : 'Look for agents on this machine'}
        </Button>
      </div>
      {error !== null && <p className={styles['error']}>{error}</p>}
      {installed !== undefined && installed.length === 0 && (
        <p className={styles['dim']}>None of the agents that are known is installed here.</p>
      )}
      {installed !== undefined && installed.length > 0 && (
        <table className={styles['table']} aria-label="Agents on this machine">
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col">Version</th>
              <th scope="col">Signed in</th>
              <th scope="col">Supports</th>
              <th scope="col">
                <span className="unseen">In the settings</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {installed.map((agent) => (
              <FoundRow key={agent.id} agent={agent} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

function FoundRow({ agent }: { agent: FoundAgent }) {
  const { backendFinder } = useApp()
  const { id, version, signedIn, detail, capabilities, configured } = agent
  const { schema, usage, ...flags } = capabilities
  const supports = Object.entries(flags).flatMap(([name, has]) => (has ? [name] : []))
  return (
    <tr>
      <th scope="row">{id}</th>
      <td>{version ?? '–'}</td>
      <td title={detail}>{signedIn === true ? 'yes' : signedIn === false ? 'no' : 'not known'}</td>
      <td className={styles['dim']}>{[`schema by ${schema}`, `usage ${usage}`, ...supports].join(', ')}</td>
      <td>
        {configured.length > 0 ? (
          <Badge>In the settings</Badge>
        ) : (
          <Button aria-label={`Add ${id}`} onClick={() => void backendFinder.add(agent, false)}>
            Add
          </Button>
        )}
      </td>
    </tr>
  )
}
