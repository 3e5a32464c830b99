import { readdir } from 'node:fs/promises'

import sharp from 'sharp'
import { describe, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { AVATAR_SIZES, MAX_IMAGE_BYTES } from '@marquee/contract/limits'
import { systemRandom } from '@marquee/platform/runtime/random'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../testing/make.ts'
import { anApp, PUBLIC_URL } from '../../../testing/start-app.ts'

const WRONG_TYPE = 'Please select a valid image file.'
const TOO_LARGE = 'File size must be less than 5MB.'

const dataUrl = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`
const picture = async (width: number, height: number, background = 'purple') =>
  await sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
/** A user with a unique name. */
const someone = () => aUser(`Zoë ${systemRandom.uuid()}`)

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)

  const own = async (user: Caller) => await callOk(theApp(), ENDPOINTS.getOwnProfile, user)
  const seen = async (username: string, by = someone()) =>
    await call(theApp(), ENDPOINTS.getProfile, by, { params: { username } })
  const avatarOf = async (username: string) =>
    await call(theApp(), ENDPOINTS.getAvatarUrl, someone(), { params: { username } })
  const upload = async (user: Caller, imageData: unknown) =>
    await call(theApp(), ENDPOINTS.uploadAvatar, user, { body: { imageData } })
  const fetched = async (url: string | null) => await theApp().app.inject({ url: url ?? '/images/none' })
  const storedFiles = async () =>
    (await readdir(theApp().blobFolder, { recursive: true }).catch(() => [])).filter((name) => name.endsWith('.webp'))

  test('a new user has an empty profile', async () => {
    const user = someone()

    expect(await own(user)).toEqual({
      username: user.username,
      hasAvatar: false,
      avatarUrl: null,
      fullAvatarUrl: null,
      currentWatchlistId: null,
    })
  })

  test('a user’s own profile has the current watchlist until they leave it', async () => {
    const ben = someone()
    const { watchlist } = await aWatchlist(theApp(), { members: [ben] })
    const params = { watchlistId: watchlist.id, username: ben.username }
    await callOk(theApp(), ENDPOINTS.setCurrentWatchlist, ben, { body: { watchlistId: watchlist.id } })

    const before = await own(ben)
    const byName = await seen(ben.username, ben)
    await callOk(theApp(), ENDPOINTS.removeMember, ben, { params })

    expect(before.currentWatchlistId).toBe(watchlist.id)
    expect(byName.body).toEqual(before)
    expect((await own(ben)).currentWatchlistId).toBeNull()
  })

  // Evidence: asvs-8.2.3, asvs-15.3.1
  test('other users find a user whatever the case of the name, and see only name and avatar', async () => {
    const user = someone()
    await aWatchlist(theApp(), { owner: user })
    await upload(user, dataUrl(await picture(30, 40)))
    const profile = await own(user)

    const { status, body } = await seen(user.username.toUpperCase())

    expect(status).toBe(200)
    expect(profile.currentWatchlistId).not.toBeNull()
    expect(body).toEqual({ ...profile, currentWatchlistId: null })
    expect(JSON.stringify(body)).not.toContain('@')
  })

  test.each(['no such user', '..', 'x'.repeat(128), '🎬'.repeat(64)])(
    'calls for the profile and avatar of the unknown user %j get 404',
    async (username) => {
      const answers = [await seen(username), await avatarOf(username)]

      expect(answers.map(({ status, body }) => [status, body.type])).toEqual([
        [404, 'NOT_FOUND'],
        [404, 'NOT_FOUND'],
      ])
    },
  )

  test('a user called "avatar" is found by name', async () => {
    const user = aUser('Avatar')
    await upload(user, dataUrl(await picture(22, 23)))

    const { body } = await seen('avatar')

    expect(body).toEqual(await own(user))
    expect((await avatarOf('avatar')).body).toEqual({ avatarUrl: body.avatarUrl })
  })

  test('a user with a name of the maximum length is found, even if it has emoji', async () => {
    const user = aUser(`${systemRandom.uuid()} ${'🎬'.repeat(45)}`)

    const { status, body } = await seen(user.username)

    expect({ status, username: body.username }).toEqual({ status: 200, username: user.username })
  })

  describe('an avatar', () => {
    test('an avatar appears in the user’s own profile and is found by username', async () => {
      const user = someone()

      const { status, body } = await upload(user, dataUrl(await picture(300, 200)))

      expect(status).toBe(200)
      expect(body).toEqual(await own(user))
      expect(body.hasAvatar).toBe(true)
      expect(body.avatarUrl).toMatch(/^\/images\/[0-9a-f]{64}-200\.webp$/u)
      expect(body.fullAvatarUrl).toBe(`${PUBLIC_URL}${body.avatarUrl}`)
      expect((await avatarOf(user.username)).body).toEqual({ avatarUrl: body.avatarUrl })
    })

    test.each([
      [900, 300],
      [300, 900],
      [40, 40],
    ])('an avatar of %i by %i pixels is served as a square in each size', async (width, height) => {
      const { body } = await upload(someone(), dataUrl(await picture(width, height)))

      for (const side of AVATAR_SIZES) {
        const { rawPayload, headers } = await fetched(body.avatarUrl?.replace('-200.', `-${side}.`) ?? null)
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
        expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'webp', width: side, height: side })
      }
    })

    test('a new avatar replaces the old one', async () => {
      const user = someone()
      const first = await upload(user, dataUrl(await picture(20, 20, 'red')))

      const second = await upload(user, dataUrl(await picture(20, 20, 'blue')))

      expect(second.body.avatarUrl).not.toBe(first.body.avatarUrl)
      expect((await own(user)).avatarUrl).toBe(second.body.avatarUrl)
    })

    test('removing an avatar succeeds even if there is none', async () => {
      const user = someone()
      await upload(user, dataUrl(await picture(20, 20)))
      const remove = async () => await call(theApp(), ENDPOINTS.deleteAvatar, user)

      const answers = [await remove(), await remove(), await call(theApp(), ENDPOINTS.deleteAvatar, someone())]

      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204])
      expect(await own(user)).toMatchObject({ hasAvatar: false, avatarUrl: null, fullAvatarUrl: null })
      expect((await avatarOf(user.username)).body).toEqual({ avatarUrl: null })
    })

    test.each([
      ['a link', async () => 'https://example.org/me.png', WRONG_TYPE],
      ['a text', async () => dataUrl(Buffer.from('hello'), 'text/plain'), WRONG_TYPE],
      ['a text that claims to be a picture', async () => dataUrl(Buffer.from('hello')), WRONG_TYPE],
      ['a picture cut short', async () => dataUrl((await picture(90, 90)).subarray(0, 60)), WRONG_TYPE],
      ['one byte more than allowed', async () => dataUrl(Buffer.alloc(MAX_IMAGE_BYTES + 1)), TOO_LARGE],
      ['nothing', async () => undefined, 'imageData: '],
      ['an empty text', async () => '', 'imageData: An image is required'],
    ])(
      'an avatar that is %s is rejected with a message for the form, and the old one stays',
      async (_what, make, message) => {
        const user = someone()
        await upload(user, dataUrl(await picture(21, 21)))
        const [before, files] = [await own(user), await storedFiles()]

        const { status, body } = await upload(user, await make())

        expect({ status, type: body.type }).toEqual({ status: 400, type: 'BAD_REQUEST' })
        expect(body.message).toContain(message)
        expect(await own(user)).toEqual(before)
        expect(await storedFiles()).toEqual(files)
      },
    )
  })

  test('a signed-out caller sees no profile', async () => {
    const params = { username: someone().username }

    const answers = [
      await call(theApp(), ENDPOINTS.getOwnProfile, undefined),
      await call(theApp(), ENDPOINTS.getProfile, undefined, { params }),
      await call(theApp(), ENDPOINTS.getAvatarUrl, undefined, { params }),
      await call(theApp(), ENDPOINTS.uploadAvatar, undefined, { body: { imageData: 'x' } }),
      await call(theApp(), ENDPOINTS.deleteAvatar, undefined),
    ]

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
  })
})
