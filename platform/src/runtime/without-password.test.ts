import { expect, test } from 'vitest'

import { withoutPassword } from './without-password.ts'

test.each([
  ['postgres://u:hush@h1:5432/db?password=hush', 'postgres://u@h1:5432/db'],
  ['postgres://u:hush@h1:5432,h2:5432/db?a=b', 'postgres://u@h1:5432,h2:5432/db'],
  ['postgres://u:p@ssword@h1:5432,h2:5432/db', 'postgres://u@h1:5432,h2:5432/db'],
  ['postgres://u@h1:5432,h2:5432/a@b', 'postgres://u@h1:5432,h2:5432/a@b'],
])('the password in %s is not shown', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown)
})
