// The host's own door: what faces (command line, desktop app, tool server) may use of it.
export * from './host.ts'
export { examineFolder } from './doctor/examine.ts'
export { createHost } from './create-host.ts'
export { readOwner, type DataFolderOwner } from './lock/read-owner.ts'
export { bridgeCommand, locateApp, locateUser, type AppPaths, type UserPaths } from './paths.ts'
export { connectHost, type ConnectedHost, type ConnectOptions } from './socket/connect-host.ts'
export { CONTENT_SECURITY_POLICY, SECURITY_HEADERS } from './web/csp.ts'
export { serveWeb, type ServeWebOptions, type WebDoor } from './web/serve-web.ts'
