// What a model is told about writing workflows: the description of the main tool. It is static, so that a model's cache of
// the tools keeps hitting; its hooks come from types/workflow.d.ts (hook-contract.ts).

import { HOOK_CONTRACT } from './hook-contract.ts'

/** What the script of the example returns is `{ confirmed, unverified }`; it is run by a test. */
export const EXAMPLE_SCRIPT = `export const meta = {
  name: 'review-files',
  description: 'Reviews files and has every finding verified by a second agent.',
  phases: [{ title: 'Review' }, { title: 'Verify' }],
}

const findings = { type: 'array', items: { type: 'object', properties: { line: { type: 'integer' }, bug: { type: 'string' } }, required: ['line', 'bug'] } }
const verdict = { type: 'object', properties: { real: { type: 'boolean' }, why: { type: 'string' } }, required: ['real', 'why'] }

const perFile = await pipeline(
  args.files,
  (file) => agent(\`List the bugs in \${file}. Cite lines.\`, { label: file, phase: 'Review', schema: findings }),
  (found, file) =>
    parallel(
      (found ?? []).map((finding) => async () => ({
        file,
        ...finding,
        verdict: await agent(\`Is this a real bug in \${file}, line \${finding.line}? \${finding.bug}\`, {
          label: \`\${file}:\${finding.line}\`,
          phase: 'Verify',
          schema: verdict,
        }),
      })),
    ),
)
const all = perFile.flat().filter((finding) => finding !== null)
log(\`\${all.length} findings in \${args.files.length} files\`)
return {
  confirmed: all.filter(({ verdict }) => verdict?.real === true),
  unverified: all.filter(({ verdict }) => verdict === null),
}`

export const MAIN_DESCRIPTION = `Runs a workflow: a deterministic JavaScript script that starts many AI sub-agents and puts their answers together.

Give \`script\` (the whole text), \`scriptPath\` (a file) or \`name\` (a saved workflow, see workflow_list); \`args\` is what the script sees as \`args\`. By default the call returns the script's return value when the run has ended. With \`background: true\` it returns the run's id at once; go on with workflow_wait, workflow_status, workflow_result. If a call returns status "running", the run goes on: call workflow_wait with its runId. workflow_validate and workflow_dry_run try a script without starting agents.

Script
- The first statement is \`export const meta = { name, description, phases }\`, a pure literal. The rest is plain JavaScript with top-level \`await\` and \`return\`. No import, no require, no file system, no network, no timers: work in the world is what agents do.
- The return value has to be JSON data; without \`return\` it is null.
- It must make the same calls every time it gets the same answers, or it can't be resumed: \`Date.now()\`, \`new Date()\` and \`Math.random()\` throw. Pass a time stamp in \`args\`; vary prompts by index.
- An agent that fails for good resolves to \`null\`, nothing is thrown: filter before you use, and never count a \`null\` as a "no".
- Use \`pipeline\` by default: no item waits for another. Use \`parallel\`, a barrier, only where the next step needs all results at once. Both take functions or stages, never promises.
- Misuse of a hook (an unknown option, an empty prompt, a promise where a function belongs) and limits end the run with an error. Script errors inside a branch become \`null\` with a warning.
- \`schema\` is JSON Schema 2020-12, draft-07 or 2019-09; keep it small, name what you need in \`required\`, describe fields. No remote \`$ref\`. A wrong answer goes back to the same agent with the errors; after five of them \`agent()\` throws.
- Agents see nothing but their prompt: put paths, context and the wanted form of the answer into it.
- Limits: 1,000 agents a run, 4,096 items a parallel or pipeline; agents beyond the run's concurrency queue. \`workflow()\` goes one level deep. \`budgetTokens\` counts output tokens of all agents; \`agent()\` throws BUDGET_EXCEEDED once they are spent.
- \`resumeFromRunId\` starts a run that answers calls from an earlier run where that has finished them: after an edit only what changed, and what follows from it, is run again.

Hooks (globals)

${HOOK_CONTRACT}

Example, with args {"files":["src/a.ts","src/b.ts"]}

${EXAMPLE_SCRIPT}`
