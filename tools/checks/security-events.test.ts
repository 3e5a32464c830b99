import { expect, test } from 'vitest'

import { read } from './repository.ts'
import { keysOfConstant, parse, stringsOf } from './syntax.ts'

const KIND = /^[a-z]+(?:-[a-z]+)+$/u
const kindsIn = (path: string) => [...new Set(stringsOf(parse(path)).literals)].filter((text) => KIND.test(text))
const kinds = kindsIn('identity/src/base/events/event-kinds.ts').toSorted()
const mailed = keysOfConstant(parse('identity/src/base/mails/notice-mail.ts'), 'NOTICES')
const document = read('docs/security/events.md')
/** The rows of the table of events. */
const rows = [...document.matchAll(/^\| `([a-z-]+)` +\|.*\| (mail)? *\|$/gmu)].map(([, kind = '', mail = '']) => ({
  kind,
  mail,
}))

// Evidence: asvs-16.3.3
test('docs/security/events.md lists exactly the recorded events and the mails about them', () => {
  expect(kinds.length).toBeGreaterThan(30)
  expect(rows.map(({ kind }) => kind).toSorted()).toEqual([...new Set([...kinds, ...mailed])].toSorted())
  const withMail = rows.filter(({ mail }) => mail === 'mail').map(({ kind }) => kind)
  expect(withMail.toSorted()).toEqual(mailed.toSorted())
})

test('the security page has a text for every recorded event', () => {
  const shown = kindsIn('web/src/features/club/security/activity-section.tsx').filter((name) => kinds.includes(name))
  const { security } = JSON.parse(read('web/src/i18n/locales/en/security.json')) as {
    security: { activity: { kinds: Record<string, string> } }
  }

  expect(shown.toSorted()).toEqual(kinds)
  expect(Object.keys(security.activity.kinds).toSorted()).toEqual(kinds)
})
