// How the branches of agents are called, and where the commit that they began with is kept.

/** Matches what `keep-changes.ts` makes: with slashes, or with dashes where these leave no room, perhaps numbered. */
const NAME = /^weft([/-])([A-Za-z0-9_]{1,64})\1(\d{1,6})(?:-\d{1,3})?$/

/** Undefined for a branch that is not an agent's. Nothing of such a name can be taken for an option or a path. */
export function parseBranchName(name: string): { runId: string; agent: number } | undefined {
  const [, , runId, agent] = NAME.exec(name) ?? []
  return runId === undefined || agent === undefined ? undefined : { runId, agent: Number(agent) }
}

/** Goes with the branch when git deletes or renames it. */
export const baseKeyOf = (branch: string): string => `branch.${branch}.weftBase`
