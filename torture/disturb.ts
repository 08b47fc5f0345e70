// What happens to a run that is under way: each disturbance is something that happens to people's machines.

import type { ChildProcess } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import type { SmallDisk } from '../test/support/durability/mount-disk.ts'
import type { House } from './house.ts'
import type { Chance } from './random.ts'

export interface Scene {
  house: House
  chance: Chance
  /** The command that shows the run; without a shared host it is the host, too. */
  client: ChildProcess
  /** The shared host, when there is one. */
  host: ChildProcess | undefined
  disk: SmallDisk | undefined
}

export type Disturbance = keyof typeof DISTURBANCES

const DISTURBANCES = {
  'kill the host': ({ host, client }: Scene) => void (host ?? client).kill('SIGKILL'),
  'kill the client': ({ client }: Scene) => void client.kill('SIGKILL'),
  'kill agents': ({ house, chance }: Scene) => {
    for (const { pid } of house.firstAttempts()) if (chance.percent(50)) kill(pid, 'SIGKILL')
  },
  'kill host and agents': ({ house, host, client }: Scene) => {
    ;(host ?? client).kill('SIGKILL')
    for (const { pid } of house.firstAttempts()) kill(pid, 'SIGKILL')
  },
  'kill everything': ({ house }: Scene) => {
    for (const { pid } of house.processes()) kill(pid, 'SIGKILL')
  },
  'stop the host for a while': async ({ host, client, chance }: Scene) => pause((host ?? client).pid, chance),
  'stop an agent for a while': async ({ house, chance }: Scene) => pause(house.firstAttempts()[0]?.pid, chance),
  'press Ctrl-C': ({ client }: Scene) => void client.kill('SIGINT'),
  'press Ctrl-C twice': async ({ client, chance }: Scene) => {
    client.kill('SIGINT')
    await wait(chance.int(1, 300))
    client.kill('SIGINT')
  },
  'end the host': ({ host, client }: Scene) => void (host ?? client).kill('SIGTERM'),
  'move the clock': async ({ host, client, chance }: Scene) => {
    for (let jumps = chance.int(1, 4); jumps > 0; jumps--) {
      ;(host ?? client).kill('SIGUSR2')
      // One jump after the other.
      // oxlint-disable-next-line no-await-in-loop
      await wait(chance.int(10, 200))
    }
  },
  'fill the disk': async ({ disk, chance }: Scene) => {
    disk?.fill()
    await wait(chance.int(20, 900))
    disk?.free()
  },
} satisfies Record<string, (scene: Scene) => void | Promise<void>>

/** What a run may be disturbed by, more often what is worst. */
export function pickDisturbance(chance: Chance, has: { disk: boolean }): Disturbance {
  const names = Object.keys(DISTURBANCES).filter((name) => has.disk || name !== 'fill the disk')
  // The keys of that very object.
  return chance.percent(30) ? 'kill the host' : (chance.pick(names) as Disturbance)
}

export async function disturb(name: Disturbance, scene: Scene): Promise<void> {
  await DISTURBANCES[name](scene)
}

async function pause(pid: number | undefined, chance: Chance): Promise<void> {
  const ms = chance.int(50, 1500)
  if (pid === undefined || !kill(pid, 'SIGSTOP')) return
  await wait(ms)
  kill(pid, 'SIGCONT')
}

/** False when it had ended already. */
function kill(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}
