import { asRunId, HostError, type PendingApproval } from '../../../src/shared/index.ts'
import { checkAccessibility } from '../../support/renderer/check-accessibility.ts'
import type { SampleHost } from '../../support/renderer/sample-host.ts'
import { expect, test } from '../../support/renderer/stubbed-window.ts'

const HOSTILE = '<img src=x onerror="document.title=1"> [click](javascript:alert(1))'

function approval(id: string, over: Partial<PendingApproval> = {}): PendingApproval {
  return {
    id,
    runId: asRunId(`run-${id}`),
    hash: id,
    workflow: 'audit',
    meta: { name: 'audit', description: HOSTILE, phases: [{ title: 'Look', detail: HOSTILE }] },
    args: { path: HOSTILE, list: 'x'.repeat(5000) },
    script: { text: `const a = await agent('look')\nreturn a`, fileName: 'audit.js', path: null },
    nested: [{ name: 'child', path: null, text: 'return 7' }],
    clientName: 'codex',
    workspace: '/work',
    askedAt: 1,
    ...over,
  }
}

/** A host that asks for this, and takes answers. */
function ask(host: SampleHost, ...wishes: PendingApproval[]): void {
  host.handlers['approvals.answer'] = ({ id, answer }) => {
    if (id === 'late') throw new HostError({ code: 'CONFLICT', message: 'Nobody asks for the approval late' })
    host.push('approval.answered', { id, runId: asRunId(`run-${id}`), answer })
    return {}
  }
  for (const wish of wishes) host.push('approval.asked', { approval: wish })
}

test('a harness’s wish is shown whole and inert, and allowed; the next one follows', async ({ window, host }) => {
  const { page } = window
  ask(host, approval('one'), approval('two', { workflow: 'second', clientName: null }))
  const dialog = page.getByRole('dialog', { name: 'Let codex run “audit”?' })
  await expect(dialog).toContainText(HOSTILE)
  await expect(dialog.locator('img, a')).toHaveCount(0)
  await expect(dialog).toContainText('1 more waits')
  await expect(dialog.getByRole('region', { name: 'audit.js' })).toContainText("agent('look')")
  await expect(dialog.getByRole('region', { name: 'It calls child' })).toContainText('return 7')
  await expect(dialog.getByRole('region', { name: 'Args' })).toContainText(JSON.stringify(HOSTILE))
  await expect(dialog.getByRole('region', { name: 'Args' })).toContainText('more characters.')
  expect(host.callsOf('run.dryRun')).toMatchObject([{ args: { path: HOSTILE } }])
  // Whoever types when it appears has not allowed anything.
  await expect(dialog.getByRole('button', { name: 'Decide later' })).toBeFocused()
  await checkAccessibility(page, 'the approval dialog')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(window.notices).toContainText('“audit” may run.')
  expect(host.callsOf('approvals.answer')).toEqual([{ id: 'one', answer: 'allow' }])
  const second = page.getByRole('dialog', { name: 'Let a harness run “second”?' })
  await second.getByRole('textbox', { name: 'Reason for a refusal' }).fill(' not now ')
  await second.getByRole('button', { name: 'Deny' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(host.callsOf('approvals.answer')).toEqual([
    { id: 'one', answer: 'allow' },
    { id: 'two', answer: 'deny', reason: 'not now' },
  ])
})

test('what is put aside stays pending, and what is answered elsewhere closes by itself', async ({ window, host }) => {
  const { page } = window
  ask(host, approval('one'))
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(host.callsOf('approvals.answer')).toEqual([])
  await page.getByRole('button', { name: '1 to approve' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  host.push('approval.answered', { id: 'one', runId: asRunId('run-one'), answer: 'withdrawn' })
  await expect(page.getByRole('dialog')).toHaveCount(0)
  ask(host, approval('late'))
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(window.page.getByText('Nobody asks for the approval late')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
