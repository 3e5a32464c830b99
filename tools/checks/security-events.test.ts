import { expect, test } from 'vitest'

import { read } from './repository.ts'

const quoted = (text: string) => [...text.matchAll(/'([a-z]+(?:-[a-z]+)+)'/gu)].map(([, name]) => name ?? '')
const kinds = [...new Set(quoted(read('identity/src/base/audit/event-kinds.ts')))].toSorted()
const mailed = quoted(
  read('identity/src/base/mails/notice-mail.ts').split('const TEXTS = {')[1]?.split('} as const')[0] ?? '',
)
const document = read('docs/security.md')
/** The table of events. */
const lines = [...document.matchAll(/^\| `([a-z-]+)` +\|.*\| (mail)? *\|$/gmu)].map(([, kind = '', told = '']) => ({
  kind,
  told,
}))

test('docs/security.md names every event that is noted, every mail, and nothing else', () => {
  expect(kinds.length).toBeGreaterThan(30)
  expect(lines.map(({ kind }) => kind).toSorted()).toEqual([...new Set([...kinds, ...mailed])].toSorted())
  const told = lines.filter(({ told: mail }) => mail === 'mail').map(({ kind }) => kind)
  expect(told.toSorted()).toEqual(mailed.toSorted())
})

test('the security page has a text for every event that is noted', () => {
  const page = read('web/src/features/security/activity-section.tsx')
  const { security } = JSON.parse(read('web/src/i18n/locales/en/auth.json')) as {
    security: { activity: { kinds: Record<string, string> } }
  }

  expect(
    quoted(page)
      .filter((name) => kinds.includes(name))
      .toSorted(),
  ).toEqual(kinds)
  expect(Object.keys(security.activity.kinds).toSorted()).toEqual(kinds)
})
