import { expect, test } from 'vitest'

import { useTranslation } from './texts.ts'

test.each([
  [0, 'Notifications'],
  [1, 'Notifications, 1 unread'],
  [2, 'Notifications, 2 unread'],
])('a text for %i has its own form', (count, text) => {
  const { t } = useTranslation('watchlist')

  expect(t('topBar.notifications', { count })).toBe(text)
})

test('a text without forms shows the number', () => {
  const { t } = useTranslation('watchlist')

  expect(t('members.showAll', { count: 12 })).toBe('Show all 12 members')
})

test('a value is shown as it is, also if it looks like a placeholder', () => {
  const { t } = useTranslation('moviecard')

  expect(t('undo.done', { title: '$& {{title}} <b>' })).toBe('$& {{title}} <b> is undecided again')
})

test('a text of the common area is available in any area', () => {
  const { t } = useTranslation('auth')

  expect(t('common:actions.tryAgain')).toBe('Try again')
})

test('texts added to an area leave the others in place', () => {
  const { t } = useTranslation('auth')

  expect([t('login.title'), t('security.cancel')]).toEqual(['Sign in', 'Cancel'])
})
