// `npm run icons`: every picture of the app from the drawings in build/, so that none is ever touched by hand. What packages
// need goes to build/, what the running app needs to resources/.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { launchChromium } from '../test/support/browser/chromium.ts'

const root = resolve(import.meta.dirname, '..')
const build = join(root, 'build')
const resources = join(root, 'resources')

/** What Linux desktops look for, under names they look for. */
const LINUX_SIZES = [16, 24, 32, 48, 64, 128, 256, 512]
const WINDOWS_SIZES = [16, 24, 32, 48, 64, 128, 256]
/** The chunks of a Mac's icon: the plain sizes, then those for screens of double density. */
const MAC_CHUNKS = { ic07: 128, ic08: 256, ic09: 512, ic10: 1024, ic11: 32, ic12: 64, ic13: 256, ic14: 512 }

const browser = await launchChromium()
try {
  const page = await browser.newPage()
  const icon = pictures(page, 'icon.svg')
  const template = pictures(page, 'tray-template.svg')
  mkdirSync(join(build, 'icons'), { recursive: true })
  mkdirSync(resources, { recursive: true })
  for (const size of LINUX_SIZES) writeFileSync(join(build, 'icons', `${size}x${size}.png`), await icon(size))
  writeFileSync(join(build, 'icon.ico'), await toIco(icon))
  writeFileSync(join(build, 'icon.icns'), await toIcns(icon))
  writeFileSync(join(resources, 'icon.png'), await icon(256))
  writeFileSync(join(resources, 'tray.png'), await icon(24))
  writeFileSync(join(resources, 'tray@2x.png'), await icon(48))
  writeFileSync(join(resources, 'trayTemplate.png'), await template(18))
  writeFileSync(join(resources, 'trayTemplate@2x.png'), await template(36))
  writeFileSync(join(resources, 'badge.png'), await pictures(page, 'badge.svg')(16))
} finally {
  await browser.close()
}

type Pictures = (size: number) => Promise<Buffer>

/** PNGs of a drawing, square, in any size in pixels. */
function pictures(page: Page, drawing: string): Pictures {
  const source = readFileSync(join(build, drawing)).toString('base64')
  return async (size) => {
    await page.setViewportSize({ width: size, height: size })
    const style = `width:${size}px;height:${size}px;display:block`
    await page.setContent(
      `<body style="margin:0"><img style="${style}" src="data:image/svg+xml;base64,${source}"></body>`,
    )
    await page.locator('img').evaluate((image: HTMLImageElement) => image.decode())
    return page.screenshot({ omitBackground: true })
  }
}

/** A header, one entry of 16 bytes a picture, the pictures. */
async function toIco(icon: Pictures): Promise<Buffer> {
  const header = Buffer.alloc(6)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(WINDOWS_SIZES.length, 4)
  const images: Buffer[] = []
  const entries: Buffer[] = []
  let offset = header.length + 16 * WINDOWS_SIZES.length
  for (const size of WINDOWS_SIZES) {
    const image = await icon(size)
    const entry = Buffer.alloc(16)
    // 256 is written as 0.
    entry.writeUInt8(size % 256, 0)
    entry.writeUInt8(size % 256, 1)
    entry.writeUInt16LE(1, 4)
    entry.writeUInt16LE(32, 6)
    entry.writeUInt32LE(image.length, 8)
    entry.writeUInt32LE(offset, 12)
    offset += image.length
    entries.push(entry)
    images.push(image)
  }
  return Buffer.concat([header, ...entries, ...images])
}

/** A header with the whole length, then each picture with its type and length before it. */
async function toIcns(icon: Pictures): Promise<Buffer> {
  const chunks: Buffer[] = []
  for (const [type, size] of Object.entries(MAC_CHUNKS)) chunks.push(toChunk(type, await icon(size)))
  return toChunk('icns', Buffer.concat(chunks))
}

function toChunk(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32BE(head.length + content.length, 4)
  return Buffer.concat([head, content])
}
