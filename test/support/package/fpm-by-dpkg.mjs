#!/usr/bin/env node
// Stands in for fpm, which electron-builder downloads, where there is no download: does what electron-builder asks of it for
// a deb with Debian's own dpkg-deb. Everything in the package is electron-builder's; only the packing is done here.

import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const FLAGS = new Set(['--force'])
const { options, files } = read(process.argv.slice(2))
const one = (name) => options.get(name)?.at(-1) ?? ''
const list = (name) => (options.get(name) ?? []).join(', ')

const target = one('--package')
const stage = mkdtempSync(join(dirname(target), 'deb-'))
chmodSync(stage, 0o755)
try {
  for (const [from, to] of files) {
    const place = join(stage, to)
    mkdirSync(dirname(place), { recursive: true })
    // Links, not copies: an Electron has 250 MB.
    execFileSync('cp', ['-al', from.endsWith('/') ? from.slice(0, -1) : from, place])
  }
  mkdirSync(join(stage, 'DEBIAN'))
  const [synopsis = '', ...rest] = one('--description').split('\n')
  const control = {
    Package: one('--name'),
    Version: one('--version'),
    Architecture: one('--architecture'),
    Maintainer: one('--maintainer'),
    Homepage: one('--url'),
    Priority: one('--deb-priority'),
    Depends: list('-d'),
    Recommends: list('--deb-recommends'),
    Description: [synopsis, ...rest.map((line) => ` ${line.trim()}`)].join('\n'),
  }
  const lines = Object.entries(control).filter(([, value]) => value !== '')
  writeFileSync(join(stage, 'DEBIAN', 'control'), `${lines.map(([name, value]) => `${name}: ${value}`).join('\n')}\n`)
  for (const [option, script] of [
    ['--after-install', 'postinst'],
    ['--after-remove', 'postrm'],
  ]) {
    copyFileSync(one(option), join(stage, 'DEBIAN', script))
    chmodSync(join(stage, 'DEBIAN', script), 0o755)
  }
  // Uncompressed: a test has better things to do.
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', stage, target], { stdio: 'inherit' })
} finally {
  rmSync(stage, { recursive: true })
}

/** Options with all their values, and the files as pairs of source and place. */
function read(args) {
  const found = new Map()
  const pairs = []
  for (let at = 0; at < args.length; at++) {
    const name = args[at]
    if (FLAGS.has(name)) continue
    if (name.startsWith('-')) found.set(name, [...(found.get(name) ?? []), args[++at]])
    else pairs.push(name.split('='))
  }
  return { options: found, files: pairs }
}
