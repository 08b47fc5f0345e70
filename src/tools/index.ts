// The tool server's own door: what the composition roots (command line, desktop app) may use of it.
export { openToolDoor } from './server/tool-door.ts'
