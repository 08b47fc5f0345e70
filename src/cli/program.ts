// The command line as a tree of commands and options. Parsing picks a command and runs nothing.

import { Argument, Command as Parser, Option, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { cancelRun } from './commands/cancel.ts'
import { actOnAgent, AGENT_ACTIONS, continueRun, pauseRun } from './commands/control.ts'
import { examineHost } from './commands/doctor.ts'
import { dryRunWorkflow } from './commands/dry-run.ts'
import { openApp } from './commands/app.ts'
import { answerApproval, listApprovals } from './commands/approvals.ts'
import { connect } from './commands/connect.ts'
import { runHeadless } from './commands/headless.ts'
import { explainBridge } from './commands/mcp.ts'
import { printEvents, printResult, printScript } from './commands/history.ts'
import { listRuns } from './commands/runs.ts'
import { searchRuns } from './commands/search.ts'
import { resumeRun } from './commands/resume.ts'
import { runWorkflow } from './commands/run.ts'
import { serveHost } from './commands/serve.ts'
import { showRun } from './commands/show.ts'
import { listWorkflows } from './commands/surroundings.ts'
import { validateFiles } from './commands/validate.ts'
import {
  parseAgentNumber,
  parseBudget,
  parseBudgetOrNone,
  parseConcurrency,
  parseLimit,
  parseMaxAgents,
  parsePort,
  parseRate,
  parseSeed,
} from './options/numbers.ts'
import { parseTime } from './options/time.ts'
import { addArchive } from './program/archive.ts'
import { addBackends } from './program/backends.ts'
import { addBranches } from './program/branches.ts'
import { JSON_OPTION, RUN_ID, type Choose } from './program/words.ts'

const SOURCE = ['<workflow>', 'a script (a path, or a file here) or the name of a workflow'] as const
const STARTERS = ['cli', 'window', 'browser', 'harness', 'test'] as const

/** Throws CommanderError for help, version and whatever can't be parsed. `write` takes help and version. */
export function createProgram(version: string, choose: Choose, write: (text: string) => void) {
  const program = new Parser('weft')
    .description('Runs agent workflows: deterministic scripts that orchestrate many AI sub-agents.')
    .version(version, '-v, --version', 'print the version')
    .option('--data-dir <folder>', 'where runs are kept (WEFT_DATA_DIR; by default the place your system has for it)')
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => {} })
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
  addRunning(program, choose)
  addHistory(program, choose)
  addArchive(program, choose)
  addBranches(program, choose)
  addControl(program, choose)
  addSurroundings(program, choose)
  return program
}

function addRunning(program: CommandUnknownOpts, choose: Choose): void {
  program
    .command('run')
    .description('run a workflow')
    .argument(...SOURCE)
    .option('--args <json>', 'what the script sees as `args`: JSON, @file, or @- for standard input')
    .option('--backend <id>', 'who runs the agents (see "weft backends")')
    .option('--model <name>', 'the model of agents that name none')
    .option('--budget <tokens>', 'output tokens it may spend: 20000, 500k, 1.5M', parseBudget)
    .option('--concurrency <n>', 'agents at once, 1 to 256', parseConcurrency)
    .option('--max-agents <n>', 'agents in the whole run', parseMaxAgents)
    .option('--cwd <folder>', 'the workspace that agents work in (default: here)')
    .option(...JSON_OPTION)
    .option('--events <file>', 'write events as JSON Lines; - writes them to stdout instead of anything else')
    .option('--resume <id>', 'answer calls from this earlier run where it has finished them')
    .option('-y, --yes', 'with --resume: pay for the calls that run without being asked')
    .option('--allow-failures', 'exit with 0 although agents failed')
    .option('--exit-on-pause', 'exit with 5 when the run pauses, instead of waiting')
    .action((source, options) => choose((context) => runWorkflow(context, source, options)))
  program
    .command('resume')
    .description('go on from an earlier run: what it has finished is not run again')
    .argument(...RUN_ID)
    .option('--plan', 'only tell what would be replayed and what would run, and why')
    .option('--script <workflow>', 'an edited script (default: the one that the earlier run ran)')
    .option(
      '--args <json>',
      'other args: JSON, @file, @- for standard input, or none (default: those of the earlier run)',
    )
    .option('--backend <id>', 'another back end for what is left')
    .option('--model <name>', 'another model for agents that name none')
    .option('--budget <tokens>', 'another budget; what is replayed counts: 20000, 500k, 1.5M, none', parseBudgetOrNone)
    .option('-y, --yes', 'pay for the calls that run without being asked')
    .option('--concurrency <n>', 'agents at once, 1 to 256', parseConcurrency)
    .option('--max-agents <n>', 'agents in the whole run', parseMaxAgents)
    .option('--cwd <folder>', 'another workspace (default: that of the earlier run)')
    .option(...JSON_OPTION)
    .option('--events <file>', 'write events as JSON Lines; - writes them to stdout instead of anything else')
    .option('--allow-failures', 'exit with 0 although agents failed')
    .option('--exit-on-pause', 'exit with 5 when the run pauses, instead of waiting')
    .action((id, options) => choose((context) => resumeRun(context, id, options)))
  program
    .command('dry-run')
    .description('what a run would do and cost: simulated agents on virtual time, nothing started, nothing kept')
    .argument(...SOURCE)
    .option('--args <json>', 'what the script sees as `args`: JSON, @file, or @- for standard input')
    .option('--budget <tokens>', 'output tokens it may spend: 20000, 500k, 1.5M', parseBudget)
    .option('--concurrency <n>', 'agents at once, 1 to 256', parseConcurrency)
    .option('--max-agents <n>', 'agents in the whole run', parseMaxAgents)
    .option('--cwd <folder>', 'the workspace (default: here)')
    .option('--fixtures <file>', 'answers for the agents (default: <name>.fixtures.json beside the script)')
    .option('--seed <n>', 'what generated answers and failures are drawn from', parseSeed)
    .option('--fail-rate <share>', 'let this share of the agents fail: 0.2, 20%', parseRate)
    .option('--answers-from <id>', 'give the same calls the answers of this earlier run')
    .option('--reject-permissions', 'refuse what agents ask leave for, instead of allowing it')
    .option('--allow-failures', 'exit with 0 although agents failed')
    .option(...JSON_OPTION)
    .action((source, options) => choose((context) => dryRunWorkflow(context, source, options)))
  program
    .command('validate')
    .description('find mistakes without running anything')
    .argument('<file...>', 'scripts')
    .option(...JSON_OPTION)
    .action((files, options) => choose((context) => validateFiles(context, files, options)))
}

function addHistory(program: CommandUnknownOpts, choose: Choose): void {
  program
    .command('runs')
    .description('list runs, newest first')
    .option('--limit <n>', 'at most this many', parseLimit, 20)
    .option('--status <status...>', 'only these: running, completed, error, cancelled, interrupted, …')
    .option('--workflow <name>', 'only runs of this workflow')
    .option('--text <text>', 'only runs with this in their workflow, title, id or error')
    .option(
      '--since <time>',
      'only runs started then or later: 2026-11-30, "2026-11-30 19:00", 90m, 12h, 7d',
      parseTime,
    )
    .option('--until <time>', 'only runs started before', parseTime)
    .addOption(new Option('--started-by <kind>', 'only runs started so').choices(STARTERS))
    .option('--here', 'only runs in this folder')
    .option(...JSON_OPTION)
    .action((options) => choose((context) => listRuns(context, options)))
  program
    .command('search')
    .description('find words in prompts, results, logs and return values of all runs')
    .argument('<text...>', 'words, or "quoted phrases": all of them have to be there')
    .option('--limit <n>', 'at most this many places', parseLimit, 20)
    .option(...JSON_OPTION)
    .action((words, options) => choose((context) => searchRuns(context, words, options)))
  const commands = [
    ['show', 'show a run: its tree, log and verdict', showRun],
    ['events', "print a run's events as JSON Lines", printEvents],
    ['result', "print a run's result, whole", printResult],
    ['script', 'print the script as it ran', printScript],
  ] as const
  for (const [name, description, show] of commands) {
    program
      .command(name)
      .description(description)
      .argument(...RUN_ID)
      .option(...JSON_OPTION)
      .action((id, options) => choose((context) => show(context, id, options)))
  }
}

function addControl(program: CommandUnknownOpts, choose: Choose): void {
  program
    .command('cancel')
    .description('cancel a live run and wait until it has ended')
    .argument(...RUN_ID)
    .option('--reason <text>', 'why, for the record')
    .option(...JSON_OPTION)
    .action((id, options) => choose((context) => cancelRun(context, id, options)))
  program
    .command('pause')
    .description('let no further agent of a live run begin; those that run go on')
    .argument(...RUN_ID)
    .option('--reason <text>', 'why, for the record')
    .option(...JSON_OPTION)
    .action((id, options) => choose((context) => pauseRun(context, id, options)))
  program
    .command('continue')
    .description('let a paused run go on')
    .argument(...RUN_ID)
    .option(...JSON_OPTION)
    .action((id, options) => choose((context) => continueRun(context, id, options)))
  program
    .command('agent')
    .description('skip or stop an agent of a live run (null to the script), or start it again')
    .argument(...RUN_ID)
    .argument('<n>', "the agent's number in its run", parseAgentNumber)
    .addArgument(new Argument('<action>', 'what to do').choices(AGENT_ACTIONS))
    .option(...JSON_OPTION)
    .action((id, agent, action, options) => choose((context) => actOnAgent(context, id, agent, action, options)))
}

function addSurroundings(program: CommandUnknownOpts, choose: Choose): void {
  program
    .command('workflows')
    .description('list the workflows that can be run by name')
    .option('--cwd <folder>', 'the workspace (default: here)')
    .option(...JSON_OPTION)
    .action((options) => choose((context) => listWorkflows(context, options)))
  program
    .command('doctor')
    .description('how the data folder is: its host, its database, what was left lying about')
    .option(...JSON_OPTION)
    .action((options) => choose((context) => examineHost(context, options)))
  addBackends(program, choose)
  program
    .command('serve')
    .description('the window in a browser, for machines without a screen')
    .option('--port <n>', 'listen here on 127.0.0.1 (default: any free port)', parsePort)
    .option('--workspace <folder>', 'the folder to open (default: here)')
    .option('--open', 'open the browser')
    .option('--json', 'print {"url","pid"} once it listens')
    .action((options) => choose((context) => serveHost(context, options)))
  program
    .command('approvals')
    .description('what harnesses ask your leave to run')
    .option(...JSON_OPTION)
    .action((options) => choose((context) => listApprovals(context, options)))
  program
    .command('approve')
    .description('let a harness run what it asks leave for, now and whenever it is the same')
    .argument('<id>', 'what is asked, as "weft approvals" lists it')
    .option('--deny [reason]', 'refuse it instead, this once; the harness is told the reason')
    .action((id, options) => choose((context) => answerApproval(context, id, options)))
  program
    .command('connect')
    .description('what a harness needs in its configuration to start workflows; without a name, all that are known')
    .argument('[harness]', 'claude-code, codex, opencode, gemini-cli, …')
    .option('--write', 'write it, after a copy of the file; else it is only shown')
    .option('--remove', 'take it out instead')
    .addOption(new Option('--project', 'in the workspace, instead of your own configuration').conflicts('user'))
    .option('--user', 'in your own configuration, which is the default')
    .option('--cwd <folder>', 'the workspace (default: here)')
    .option(...JSON_OPTION)
    .action((harness, options) => choose((context) => connect(context, harness, options)))
  program
    .command('mcp')
    .description('the tool server for a harness, over standard input and output: what its configuration names')
    .option('--workspace <folder>', 'the folder that runs work in (default: here)')
    .option('--depth <n>', 'how many runs lie between the user and the harness')
    .action(() => choose((context) => explainBridge(context)))
  program
    .command('host', { hidden: true })
    .description('a host without a window, which ends when nobody needs it')
    .option('--idle <seconds>', 'how long after the last client has left', parseLimit)
    .action((options) => choose((context) => runHeadless(context, options)))
  program
    .command('app')
    .description('the desktop window')
    .option('--workspace <folder>', 'the folder to open (default: here)')
    .action((options) => choose((context) => openApp(context, options)))
}
