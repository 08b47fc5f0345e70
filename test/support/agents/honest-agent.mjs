// A small agent without a model that does honest work in its folder, by the `jsonl` protocol. For end-to-end tests: what it
// says is true and the same each time, so that a test can check a workflow's result against the repository itself.
//
//   { "kind": "command", "protocol": "jsonl", "command": ["node", "…/test/support/agents/honest-agent.mjs"] }
//
// It understands (honest/understand.mjs says by what) prompts as one writes them for models:
//   list what a git command in backticks prints       review what `git diff …` adds, for the angles that are named
//   hunt for defects in files                         check somebody's finding at file:line, as JSON or in prose
//   count lines, files, occurrences                   research a question in the folder's own files, compose an answer
// and directives: lines `DO <task>`, or a block fenced as ```tasks with one task a line:
//   say TEXT · json JSON · list GLOB… · lines GLOB… · count TEXT GLOB… · grep REGEX GLOB… · read FILE[:FROM[-TO]] ·
//   git READING-COMMAND… · fail MESSAGE
// Without a schema the answer is text. With one, its fields are filled by their names (honest/answer.mjs): `findings` or any
// list of objects with what was found, `real`/`verdict` and `reason` with a check's outcome, lists of strings with lines.
// Reviewers report what a rule suspects (honest/rules.mjs); whoever verifies looks at comments, strings and neighbours, and
// refutes what is none. Plain Node 18, no dependencies.

import { toAnswer } from './honest/answer.mjs'
import { perform } from './honest/tasks.mjs'
import { Tools } from './honest/tools.mjs'
import { understand } from './honest/understand.mjs'
import { receiveRun, send } from './protocol.mjs'

const { run, messages } = await receiveRun()
const tools = new Tools(process.cwd(), (tool, title) => {
  send({ type: 'progress', tool, title: title.slice(0, 200), status: 'completed' })
})
const tokens = (text) => Math.ceil(text.length / 4)

try {
  const task = understand(run.prompt)
  send({ type: 'progress', text: `understood as: ${task.kind}\n` })
  const facts = await perform(task, run.prompt, tools)
  const output = facts.json ?? toAnswer(facts, run.schema)
  const usage = { outputTokens: tokens(JSON.stringify(output)), inputTokens: tokens(run.prompt) }
  send({ type: 'result', output, usage })
} catch (error) {
  send({ type: 'error', message: error.message, reason: 'other' })
}

for await (const message of messages) {
  // It knows no better answer than the one it gave.
  if (message.type === 'invalid') {
    send({ type: 'error', message: `I have no other answer: ${message.errors.join('; ')}`, reason: 'other' })
  }
  if (message.type === 'cancel') break
}
process.exit(0)
