// Measures one group in a process of its own, so that no group's garbage is another's, and hands its rows to the parent.

import { GROUPS, isGroup } from './groups.ts'

const [group = ''] = process.argv.slice(2)
if (!isGroup(group)) throw new Error(`there is no group ${group}`)
const rows = await GROUPS[group].measure()
process.send?.(rows, undefined, undefined, () => process.exit(0))
