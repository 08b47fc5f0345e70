// `weft doctor`: how the data folder is, with a host or without one, and what to do about what is wrong.

import { plural, type DoctorReport } from '../../shared/index.ts'
import { examineFolder } from '../../host/index.ts'
import type { CliContext } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { findHost } from '../host/open-host.ts'
import { writeJson } from '../output/json.ts'
import type { Style } from '../render/style.ts'
import { escapeControls } from '../render/text.ts'

/** Less than this, and the next long run may not fit. */
const LOW_DISK_BYTES = 100 * 1024 * 1024

export async function examineHost(context: CliContext, options: { json?: boolean }): Promise<ExitCode> {
  const report = await ask(context)
  if (options.json) writeJson(context.out, { ...report, advice: adviceFor(report) })
  else for (const line of describe(report, context.outStyle)) context.out.line(line)
  return adviceFor(report).length === 0 ? EXIT.completed : EXIT.error
}

async function ask(context: CliContext): Promise<DoctorReport> {
  const access = await findHost(context, context.cwd)
  if (access === undefined) {
    const { user, env, app } = context
    return examineFolder({ dataDir: user.dataDir, env, writerWorker: app.workers.writer })
  }
  try {
    return await access.client.call('host.doctor', {})
  } finally {
    await access.close()
  }
}

/** What is wrong, and what to do; nothing when all is well. */
function adviceFor({ integrity, disk, dataDir }: DoctorReport): string[] {
  const advice: string[] = []
  if (!integrity.ok)
    advice.push(
      `The database is not sound. Keep a copy of ${dataDir} as it is; then restore a backup, or move weft.db away to begin afresh.`,
    )
  if (disk.freeBytes !== null && disk.freeBytes < LOW_DISK_BYTES)
    advice.push('The disk is nearly full: free some space, or delete old runs ("weft runs", "weft delete").')
  return advice
}

function describe(report: DoctorReport, { colors, symbol }: Style): string[] {
  const { host, dataDir, integrity, disk, leftovers } = report
  const good = colors.green(symbol.completed)
  const bad = colors.red(symbol.failed)
  const advice = adviceFor(report)
  return [
    host === null
      ? `${good} no host runs`
      : `${good} a host runs: pid ${host.pid}, version ${host.version}${host.socket === null ? '' : `, socket ${host.socket}`}`,
    `${good} data folder ${escapeControls(dataDir)}${disk.freeBytes === null ? '' : `, ${formatBytes(disk.freeBytes)} free`}`,
    `${integrity.ok ? good : bad} database ${integrity.ok ? 'sound' : 'not sound'}: ${plural(integrity.runs, 'run')}, ${formatBytes(integrity.databaseBytes + integrity.logBytes)}`,
    ...integrity.problems.map((problem) => `    ${escapeControls(problem)}`),
    leftovers.length === 0 ? `${good} nothing left lying about` : `${colors.yellow('!')} left lying about`,
    ...leftovers.map(({ path, detail }) => `    ${escapeControls(path)}: ${detail}`),
    ...advice.map((text) => colors.yellow(text)),
  ]
}

function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(0)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
