// Keys stay out of whatever is shown, stored or sent: wherever a key's text turns up, a mark takes its place.

const MARK = '[key removed]'
/** Anything shorter would be found in ordinary words. */
const MIN_LENGTH = 8

export type Redact = (text: string) => string

export function createRedact(secrets: readonly (string | undefined)[]): Redact {
  const known = secrets.filter((secret): secret is string => secret !== undefined && secret.length >= MIN_LENGTH)
  // Providers quote wrong keys with their middle starred out; those need no removing.
  return (text) => known.reduce((rest, secret) => rest.split(secret).join(MARK), text)
}
