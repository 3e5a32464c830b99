import { expect, test } from 'vitest'

import { useTranslation } from './texts.ts'

test.each([
  [0, 'Notifications'],
  [1, 'Notifications, 1 unread'],
  [2, 'Notifications, 2 unread'],
])('a text with the count %i has the right plural form', (count, text) => {
  const { t } = useTranslation('watchlist')

  expect(t('topBar.notifications', { count })).toBe(text)
})

test('a text without plural forms shows the number', () => {
  const { t } = useTranslation('watchlist')

  expect(t('members.showAll', { count: 12 })).toBe('Show all 12 members')
})

test('a value is inserted literally, even if it looks like a placeholder', () => {
  const { t } = useTranslation('moviecard')

  expect(t('undo.done', { title: '$& {{title}} <b>' })).toBe('$& {{title}} <b> is undecided again')
})

test('a common text is available in every area', () => {
  const { t } = useTranslation('auth')

  expect(t('common:actions.tryAgain')).toBe('Try again')
})

test('texts added to an area do not replace the others', () => {
  const { t } = useTranslation('auth')

  expect([t('login.title'), t('security.cancel')]).toEqual(['Sign in', 'Cancel'])
})
