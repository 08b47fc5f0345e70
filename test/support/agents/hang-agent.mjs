// Says that it works, and then nothing ever again. Cancelling ends it only by signal.
import { receiveRun, send } from './protocol.mjs'

await receiveRun()
send({ type: 'progress', text: 'working' })
setInterval(() => {}, 1 << 30)
