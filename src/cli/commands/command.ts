// The shape of a command: its options are parsed, it is given its surroundings, it answers with an exit code.

import type { CliContext } from '../context.ts'
import type { ExitCode } from '../exit-codes.ts'
import { openHost } from '../host/open-host.ts'
import type { HostAccess } from '../host/host-access.ts'

export type Command = (context: CliContext) => Promise<ExitCode>

/** Runs `work` with a host and lets go of it afterwards, whatever happens. */
export async function withHost<Result>(
  context: CliContext,
  workspace: string,
  work: (access: HostAccess) => Promise<Result>,
): Promise<Result> {
  const access = await openHost(context, workspace)
  try {
    return await work(access)
  } finally {
    await access.close()
  }
}
