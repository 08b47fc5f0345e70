// Writes as many MiB as its first argument says without a single line end.
import { receiveRun } from './protocol.mjs'

await receiveRun()
const mebibyte = 'x'.repeat(1024 * 1024)
for (let n = 0; n < Number(process.argv[2]); n++)
  await new Promise((resolve) => process.stdout.write(mebibyte, resolve))
