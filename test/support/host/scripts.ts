// Short workflow scripts for tests.

/** A script with that name that answers with `body`. */
export function script(name: string, body = 'return 1', more = ''): string {
  return `export const meta = { name: '${name}', description: 'a test'${more} }\n${body}\n`
}
