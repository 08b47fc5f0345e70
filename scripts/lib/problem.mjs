// The one error that the scripts in this folder show without a stack: something the reader can put right.

/** Says what happened, what was found and what to do. */
export class Problem extends Error {
  /** @override */
  name = 'Problem'
}

/**
 * Runs a script's main function. A Problem is printed as it is and gives exit code 1, everything else is a fault of the
 * script and keeps its stack.
 *
 * @param {() => Promise<number>} main answers the exit code
 */
export async function runScript(main) {
  try {
    process.exitCode = await main()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    process.stderr.write(`\n${error.message}\n`)
    process.exitCode = 1
  }
}
