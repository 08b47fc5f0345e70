import { describe, expect, it } from 'vitest'
import { renderTable } from '../../../src/cli/render/table.ts'

describe('renderTable', () => {
  it('makes columns as wide as their widest cell, without trailing spaces', () => {
    expect(
      renderTable(
        ['NAME', 'N'],
        [
          ['漢字漢字', '1'],
          ['a', ''],
        ],
        { width: Infinity },
      ),
    ).toEqual(['NAME      N', '漢字漢字  1', 'a'])
  })

  it('cuts lines at the width of the terminal', () => {
    expect(renderTable(['A', 'B'], [['x', 'a long description']], { width: 10 })).toEqual(['A  B', 'x  a long…'])
  })
})
