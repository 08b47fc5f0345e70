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

import { serve } from './honest/serve.mjs'
import { receiveRun } from './protocol.mjs'

await serve(await receiveRun())
