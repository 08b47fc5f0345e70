import { expect, test } from 'vitest'
import { parseArguments } from '../../src/main/arguments.ts'

test('the folder is taken from --workspace= wherever it stands among other arguments', () => {
  const argv = ['/opt/weft', '--inspect=0', '--workspace=/home/ann/site', '.', '--lang=de']
  expect(parseArguments(argv, '/tmp')).toEqual({ workspace: '/home/ann/site' })
})

test('a relative folder is one of the folder the command was given in', () => {
  expect(parseArguments(['weft', '--workspace=site'], '/home/ann')).toEqual({ workspace: '/home/ann/site' })
})

test('the last of several folders counts', () => {
  expect(parseArguments(['weft', '--workspace=/a', '--workspace=/b'], '/')).toEqual({ workspace: '/b' })
})

test('no folder and an empty one are both none', () => {
  expect(parseArguments(['weft', '/home/ann/site'], '/')).toEqual({ workspace: undefined })
  expect(parseArguments(['weft', '--workspace='], '/')).toEqual({ workspace: undefined })
})
