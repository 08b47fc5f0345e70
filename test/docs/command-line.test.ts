import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addCompletion } from '../../src/cli/completion.ts'
import { EXIT } from '../../src/cli/exit-codes.ts'
import { createProgram } from '../../src/cli/program.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/guide/command-line.md'), 'utf8')

const program = createProgram(
  '0.0.0',
  () => undefined,
  () => undefined,
)
addCompletion(program, '/', [])
/** What help lists: commands for machines are hidden there. */
const commands = program
  .createHelp()
  .visibleCommands(program)
  .filter((command) => command.name() !== 'help')

const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((text) => [/^`weft ([\w-]+)/.exec(text)?.[1] ?? text, text.split(/^## /m)[0] ?? '']),
)

describe('docs/guide/command-line.md', () => {
  it('has a section for each command of the program, and no other', () => {
    expect([...sections.keys()].sort()).toEqual(commands.map((command) => command.name()).sort())
  })

  it('names the options of each command with what they do, and no other', () => {
    const documented = [...sections].map(([name, text]) => [
      name,
      [...text.matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1] ?? '').sort(),
    ])
    // A command with commands of its own has them all in one section.
    const real = commands.map((command) => {
      const flags = [command, ...command.commands].flatMap(({ options }) => options.map((option) => option.flags))
      return [command.name(), [...new Set(flags)].sort()]
    })
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(real))
  })

  it('gives each command an example of its own and its exit codes', () => {
    const lacking = [...sections].filter(
      ([name, text]) => !new RegExp(`^\`\`\`sh\nweft ${name}\\b`, 'm').test(text) || !text.includes('Exit codes: '),
    )
    expect(lacking.map(([name]) => name)).toEqual([])
  })

  it('lists the exit codes that there are', () => {
    const table = page.slice(page.indexOf('## Exit codes'), page.indexOf('## Running'))
    const codes = [...table.matchAll(/^\| (\d+) /gm)].map((match) => Number(match[1]))
    expect(codes).toEqual(Object.values(EXIT).sort((a, b) => a - b))
  })
})
