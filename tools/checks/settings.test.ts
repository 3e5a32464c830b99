import { expect, test } from 'vitest'

import { SettingsSchema } from '../../server/src/settings.ts'
import { read } from './repository.ts'

test('every setting is explained on the page for operators, and no other', () => {
  const page = read('docs/operating.md')
  const named = [...page.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)`/gu)].map(([, name]) => name ?? '')

  expect([...new Set(named)].toSorted()).toEqual(Object.keys(SettingsSchema.shape).toSorted())
})
