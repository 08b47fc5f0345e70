// Before the first run, while nothing is configured: who is found signed in is offered at the terminal, once.

import type { HostClient } from '../../shared/index.ts'
import { rememberBackend } from '../commands/backends.ts'
import type { CliContext } from '../context.ts'
import { CliError } from '../errors.ts'
import { INTERRUPT } from '../keyboard.ts'

const MOST = 9
/** Programs that take longer to say their version. */
const TELL_MS = 700

/**
 * Asks where somebody types and no back end was ever chosen; the answer is remembered, "simulated" too. Throws CliError
 * REFUSED when the answer is Ctrl-C.
 */
export async function offerBackend(
  { keyboard, err }: Pick<CliContext, 'keyboard' | 'err'>,
  client: HostClient,
): Promise<void> {
  if (keyboard === undefined || !err.isTty) return
  const { backends } = await client.call('backends.list', {})
  const { settings } = await client.call('settings.get', {})
  if (backends.length > 1 || JSON.stringify(settings).includes('"defaultBackend"')) return
  const told = setTimeout(() => err.line('No back end is configured: looking for agents on this machine …'), TELL_MS)
  const { found } = await client.call('backends.find', {}).finally(() => clearTimeout(told))
  // A model provider needs a model besides: for the settings.
  const ready = found.filter(({ signedIn, program }) => signedIn === true && program !== null).slice(0, MOST)
  if (ready.length === 0) return
  err.line('Who shall run agents from now on?  ("weft backends use" changes it)')
  for (const [index, { id, version, detail }] of ready.entries())
    err.line(`  [${index + 1}] ${id}${version === null ? '' : ` ${version}`}, signed in ${detail}`)
  err.line('  [s] simulated: nobody, answers are made up')
  const pressed = await keyboard.read([...ready.keys()].map((index) => String(index + 1)).concat('s', INTERRUPT))
  if (pressed === INTERRUPT) throw new CliError('REFUSED', 'nothing was started')
  const chosen = ready[Number(pressed) - 1]
  await rememberBackend(client, chosen?.id ?? 'simulated', chosen)
}
