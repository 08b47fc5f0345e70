// The command line's entry, built to out/main/weft.cjs beside its workers. It loads one of two things: the bridge that
// harnesses start, who wait a few hundred milliseconds for it, or everything else.

import { isBridgeCall } from './bridge/arguments.ts'

// The build is CommonJS: __dirname is the folder of the bundle.
async function main(): Promise<void> {
  if (isBridgeCall(process.argv.slice(2))) {
    const { bridgeProcess } = await import('./bridge/bridge-process.ts')
    await bridgeProcess(__dirname)
  } else {
    const { runProcess } = await import('./run-process.ts')
    await runProcess(__dirname)
  }
}

void main()
