// From arguments to an exit code: parses, runs the command, and says what went wrong in the form that was asked for.

import { CommanderError } from '@commander-js/extra-typings'
import type { Command } from './commands/command.ts'
import { addCompletion } from './completion.ts'
import type { CliContext } from './context.ts'
import { CliError, toCliError } from './errors.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { toErrorEnvelope } from './output/error-envelope.ts'
import { readPromises, writeJson } from './output/json.ts'
import { createProgram } from './program.ts'
import { renderDiagnostics } from './render/diagnostics.ts'
import { shortenPath } from './render/path.ts'
import { escapeBlock } from './render/text.ts'

/** What the context needs from the arguments before it can be made. */
export interface CliSettings {
  dataDir: string | undefined
}

export type Surroundings = Pick<CliContext, 'cwd' | 'out' | 'err' | 'errStyle' | 'version'>

/** `argv` without the program's name. `complete` makes the context once the data folder is known. */
export async function runCli(
  argv: readonly string[],
  around: Surroundings,
  complete: (settings: CliSettings) => CliContext,
): Promise<ExitCode> {
  try {
    const { command, settings } = parse(argv, around)
    return command ? await command(complete(settings)) : EXIT.completed
  } catch (error) {
    return reportFailure(argv, around, toCliError(error))
  }
}

function parse(argv: readonly string[], around: Surroundings): { command?: Command; settings: CliSettings } {
  let chosen: Command | undefined
  const program = createProgram(
    around.version,
    (command) => void (chosen = command),
    (text) => around.out.write(text),
  )
  addCompletion(program, around.cwd, argv)
  try {
    program.parse(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Help and version that were asked for, and written.
    if (error.exitCode === 0) return { settings: { dataDir: undefined } }
    throw toUsageError(error, argv, program)
  }
  const { dataDir } = program.opts()
  return { ...(chosen && { command: chosen }), settings: { dataDir } }
}

function toUsageError(
  error: CommanderError,
  argv: readonly string[],
  program: ReturnType<typeof createProgram>,
): CliError {
  const name = program.commands.find((command) => argv.includes(command.name()))?.name()
  const help = `Run "weft ${name === undefined ? '' : `${name} `}--help" for help.`
  if (error.code === 'commander.help')
    return new CliError('USAGE', `no command was given.\n${program.helpInformation()}`)
  return new CliError('USAGE', `${error.message.replace(/^error: /, '')}\n${help}`, { cause: error })
}

function reportFailure(argv: readonly string[], { cwd, out, err, errStyle }: Surroundings, error: CliError): ExitCode {
  if (readPromises(argv).json) writeJson(out, toErrorEnvelope(error))
  const { script, diagnostics } = error
  if (diagnostics.length > 0 && script) {
    for (const line of renderDiagnostics(shortenPath(script.file, cwd), script.text, diagnostics, errStyle))
      err.line(line)
  } else err.line(`${errStyle.colors.red('weft:')} ${escapeBlock(error.message)}`)
  return error.exitCode
}
