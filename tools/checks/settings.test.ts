import { expect, test } from 'vitest'

import { SettingsSchema } from '../../server/src/settings/settings.ts'
import { SETTINGS_PAGE, settingsPage } from '../run/settings.ts'
import { read } from './repository.ts'

test('docs/settings.md is what `npm run settings` writes', () => {
  expect(read(SETTINGS_PAGE)).toBe(settingsPage())
})

test('the operating guide names only settings that exist', () => {
  const named = [...read('docs/operating.md').matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`/gu)].map(
    ([, name]) => name ?? '',
  )

  expect(named.filter((name) => !Object.hasOwn(SettingsSchema.shape, name))).toEqual([])
})
