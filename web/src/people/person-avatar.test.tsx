import { cleanup, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'

import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aProfile, aProfileWithAvatar } from '#web/testing/samples.ts'

import { PersonAvatar } from './person-avatar.tsx'
import { useRemoveAvatar } from './mutations.ts'
import { personProfile } from './queries.ts'

tidyUp()

const faceOf = (container: HTMLElement) => container.querySelector('img')?.getAttribute('src')

test('a user’s avatar is shown', async () => {
  fakeApi({ getProfile: () => aProfileWithAvatar('Ana') })
  const { container } = await renderPart(<PersonAvatar username="Ana" />)

  await waitFor(() => expect(faceOf(container)).toBe('/images/Ana.webp'))
})

test('two avatars of one user are loaded once, in any letter case of the username', async () => {
  const api = fakeApi({ getProfile: () => aProfileWithAvatar('Ana') })
  const { container } = await renderPart(
    <>
      <PersonAvatar username="Ana" />
      <PersonAvatar username="ana" />
    </>,
  )

  await waitFor(() => expect(container.querySelectorAll('img')).toHaveLength(2))
  expect(api.callsOf('getProfile')).toHaveLength(1)
})

test.each([
  ['has no avatar', () => aProfile('ana')],
  ['is unknown', () => new Refusal(404, 'NOT_FOUND', 'Resource not found')],
])('a user who %s is shown by the first letter of the username', async (_, answer) => {
  const api = fakeApi({ getProfile: answer })
  const { container } = await renderPart(<PersonAvatar username="ana" />)

  await waitFor(() => expect(api.callsOf('getProfile')).toHaveLength(1))
  expect(screen.getByText('A')).toBeTruthy()
  expect(faceOf(container)).toBeUndefined()
})

test('a profile is cached for five minutes', async () => {
  const api = fakeApi({ getProfile: () => aProfile('Ana') })
  const { client } = await renderPart(null)
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T18:00:00Z') })
  const readAt = async (time: string) => {
    vi.setSystemTime(new Date(time))
    await client.query(personProfile('Ana'))
    return api.callsOf('getProfile').length
  }

  const asked = [
    await readAt('2026-03-01T18:00:00Z'),
    await readAt('2026-03-01T18:04:59Z'),
    await readAt('2026-03-01T18:05:01Z'),
  ]
  vi.useRealTimers()

  expect(asked).toEqual([1, 1, 2])
})

test('changing one’s own profile clears only its own cache entry', async () => {
  const api = fakeApi({
    getProfile: ({ params }) => aProfile(params['username'] ?? ''),
    deleteAvatar: () => undefined,
  })
  function Both() {
    const remove = useRemoveAvatar('Ana')
    return (
      <>
        <PersonAvatar username="ana" />
        <PersonAvatar username="Ben" />
        <button type="button" onClick={() => remove.mutate()}>
          {'Remove'}
        </button>
      </>
    )
  }
  await renderPart(<Both />)
  await waitFor(() => expect(api.callsOf('getProfile')).toHaveLength(2))

  screen.getByRole('button', { name: 'Remove' }).click()

  await waitFor(() => expect(api.callsOf('getProfile')).toHaveLength(3))
  expect(api.callsOf('getProfile').map(({ request }) => request.params['username'])).toEqual(['ana', 'Ben', 'ana'])
  cleanup()
})
