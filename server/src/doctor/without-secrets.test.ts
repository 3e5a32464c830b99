import { expect, test } from 'vitest'

import { withoutSecrets } from './without-secrets.ts'

test.each([
  ['postgres://u:p@ssword@h1:5432,h2:5432/db', 'p@ssword refused', '… refused'],
  ['postgres://u:pass,word@h1:5432,h2:5432/db', 'pass,word refused by h1', '… refused by h1'],
  ['postgres://u:hush%21hush@h1/db', 'hush!hush refused', '… refused'],
])('the password in %s is not printed', (DATABASE_URL, text, printed) => {
  expect(withoutSecrets(text, { DATABASE_URL })).toBe(printed)
})
