// Formats that ajv-formats checks and json-schema-faker does not make, or makes wrongly.

interface FormatRandom {
  int(min: number, max: number): number
}

export const EXTRA_FORMATS: Record<string, (random: FormatRandom) => string> = {
  byte: (random) => Buffer.from(`simulated ${random.int(1, 999)}`).toString('base64'),
  'idn-email': (random) => `someone${random.int(1, 999)}@example.com`,
  'idn-hostname': (random) => `host-${random.int(1, 999)}.example.com`,
  'iso-date-time': (random) => `2024-0${random.int(1, 9)}-1${random.int(0, 9)}T08:00:00Z`,
  'iso-time': (random) => `0${random.int(0, 9)}:30:00Z`,
  iri: (random) => `https://example.com/${random.int(1, 999)}`,
  'iri-reference': (random) => `/simulated/${random.int(1, 999)}`,
  'uri-reference': (random) => `/simulated/${random.int(1, 999)}`,
  'uri-template': (random) => `https://example.com/{item}/${random.int(1, 999)}`,
  url: (random) => `https://example.com/${random.int(1, 999)}`,
  regex: (random) => `^simulated-${random.int(1, 999)}$`,
  'relative-json-pointer': (random) => `${random.int(0, 3)}/simulated`,
  'json-pointer-uri-fragment': (random) => `#/simulated/${random.int(0, 9)}`,
  password: (random) => `simulated-${random.int(1, 999)}`,
  binary: (random) => `simulated-${random.int(1, 999)}`,
}
