// A process that takes a data folder and stays until it is killed: `node hold-lock.ts <data folder>`.

import { acquireDataFolder } from '../../../src/host/lock/acquire-data-folder.ts'

const taken = acquireDataFolder(process.argv[2] ?? '')
if (!taken.held) throw new Error('the folder is taken')
taken.lock.announce({ pid: process.pid, version: '0.0.0', socket: null, startedAt: Date.now() })
process.stdout.write('held\n')
setInterval(() => undefined, 60_000)
