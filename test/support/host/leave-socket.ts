// A process that listens where a host would and is killed: `node leave-socket.ts <data folder> <runtime folder>`.

import { createServer } from 'node:net'
import { prepareSocketFolder, socketPaths } from '../../../src/host/socket/socket-path.ts'

const [, , dataDir = '', runtimeDir = ''] = process.argv
const [path = ''] = socketPaths(dataDir, { env: { XDG_RUNTIME_DIR: runtimeDir }, platform: process.platform })
prepareSocketFolder(path, process.platform)
createServer().listen(path, () => process.kill(process.pid, 'SIGKILL'))
