/** The path within the workspace, or the whole one for a file outside of it. */
export function shortPath(path: string, workspace: string): string {
  return path.startsWith(workspace) ? path.slice(workspace.length).replace(/^[\\/]/, '') : path
}
