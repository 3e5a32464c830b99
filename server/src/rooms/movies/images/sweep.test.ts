import { createSecretKey } from 'node:crypto'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'

import pino from 'pino'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { systemClock } from '@marquee/platform/runtime/clock'
import { systemRandom } from '@marquee/platform/runtime/random'
import type { BlobStore } from '@marquee/platform/storage/blob-store'
import { diskStore } from '@marquee/platform/storage/disk-store'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { callOk } from '../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../testing/make.ts'
import { anApp } from '../../../testing/start-app.ts'
import { removeNow } from '../../club/watchlists/removal.ts'
import { saveAvatar } from '../../club/people/store.ts'
import { createImageDecoder } from './decoder.ts'
import { createImages } from './service.ts'
import { claimImage } from './store.ts'
import { sweepImages } from './sweep.ts'

const HOUR_MS = 60 * 60_000
const decoder = createImageDecoder({ logger: pino({ level: 'silent' }) })
const imageNameKey = createSecretKey(systemRandom.bytes(32))
const GRACE = { graceMs: 24 * HOUR_MS }

/** A new image. */
async function aPicture(): Promise<string> {
  const noise = sharp(systemRandom.bytes(20 * 20 * 3), { raw: { width: 20, height: 20, channels: 3 } })
  return `data:image/png;base64,${(await noise.png().toBuffer()).toString('base64')}`
}

eachStatement({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)

  const theBlobs = () => diskStore({ folder: theApp().blobFolder, random: systemRandom })
  const theTrash = () => diskStore({ folder: theApp().trashFolder, random: systemRandom })
  const sweep = async ({ hours = 0, blobs = theBlobs() }: { hours?: number; blobs?: BlobStore } = {}) =>
    await sweepImages(
      {
        database: theDatabase(),
        blobs,
        trash: theTrash(),
        clock: { now: () => new Date(Date.now() + hours * HOUR_MS) },
      },
      GRACE,
    )
  const hashIn = (url: string | null) => /[0-9a-f]{64}/u.exec(url ?? '')?.[0] ?? 'none'
  const filesOf = async (hash: string) =>
    (await readdir(theApp().blobFolder, { recursive: true })).filter((name) => name.includes(`/${hash}-`)).length
  const isInTrash = async (hash: string, width = 640) => await theTrash().has(`${hash}-${width}.webp`)
  const isServed = async (hash: string, width = 640) =>
    (await theApp().app.inject({ url: `/images/${hash}-${width}.webp` })).statusCode === 200
  const imagesOf = (blobs: BlobStore) =>
    createImages({
      database: theDatabase(),
      clock: { now: () => new Date() },
      blobs,
      decoder,
      imageNameKey,
      publicUrl: 'http://marquee.test',
      remotePosters: 'copy',
    })

  /** Sets the time of an image's files to three days ago. */
  async function age(hash: string): Promise<void> {
    const past = new Date(Date.now() - 72 * HOUR_MS)
    for (const width of [200, 320, 400, 640]) {
      const path = join(theApp().blobFolder, hash.slice(0, 2), `${hash}-${width}.webp`)
      await utimes(path, past, past).catch(() => undefined)
    }
  }

  async function anAvatar(user: ReturnType<typeof aUser>) {
    const { avatarUrl } = await callOk(theApp(), ENDPOINTS.uploadAvatar, user, {
      body: { imageData: await aPicture() },
    })
    return hashIn(avatarUrl)
  }

  async function aPoster(image?: string, by = aUser()) {
    const { watchlist, owner } = await aWatchlist(theApp(), { owner: by })
    const card = await callOk(theApp(), ENDPOINTS.addCard, owner, {
      params: { watchlistId: watchlist.id },
      body: { title: 'Ran', image: image ?? (await aPicture()), revealImmediately: true },
    })
    return {
      owner,
      hash: hashIn(card.imageUrl),
      url: card.imageUrl,
      params: { watchlistId: watchlist.id, cardId: card.id },
    }
  }

  test('images in use stay: avatars, images of watchlists, posters in the feed and in the box', async () => {
    const { owner, params, hash: poster } = await aPoster()
    const boxed = await callOk(theApp(), ENDPOINTS.addCard, owner, {
      params,
      body: { title: 'Ikiru', image: await aPicture() },
    })
    const { fullImageUrl } = await callOk(theApp(), ENDPOINTS.uploadWatchlistImage, owner, {
      params,
      body: { imageData: await aPicture() },
    })
    const avatar = await anAvatar(owner)

    await sweep({ hours: 48 })

    expect(await isServed(avatar, 200)).toBe(true)
    for (const hash of [poster, hashIn(boxed.imageUrl), hashIn(fullImageUrl)]) expect(await isServed(hash)).toBe(true)
  })

  describe('unused images', () => {
    test('a sweep removes replaced and removed avatars in all sizes', async () => {
      const user = aUser()
      const replaced = await anAvatar(user)
      const removed = await anAvatar(user)
      await callOk(theApp(), ENDPOINTS.deleteAvatar, user)

      await sweep({ hours: 48 })

      expect(await filesOf(replaced)).toBe(0)
      expect(await filesOf(removed)).toBe(0)
    })

    test('a sweep removes replaced and removed watchlist images in all sizes', async () => {
      const { watchlist, owner } = await aWatchlist(theApp())
      const params = { watchlistId: watchlist.id }
      const hashes: string[] = []
      for (let n = 0; n < 2; n += 1) {
        const body = { imageData: await aPicture() }
        const { fullImageUrl } = await callOk(theApp(), ENDPOINTS.uploadWatchlistImage, owner, { params, body })
        hashes.push(hashIn(fullImageUrl))
      }
      await callOk(theApp(), ENDPOINTS.deleteWatchlistImage, owner, { params })

      await sweep({ hours: 48 })

      for (const hash of hashes) expect(await filesOf(hash)).toBe(0)
    })

    test('a sweep removes the posters of an edited card, a deleted card and a deleted watchlist', async () => {
      const [edited, deleted, ofDeletedList] = [await aPoster(), await aPoster(), await aPoster()]
      const body = { title: 'Ran', image: 'https://example.org/ran.jpg' }
      await callOk(theApp(), ENDPOINTS.editCard, edited.owner, { params: edited.params, body })
      await callOk(theApp(), ENDPOINTS.deleteCard, deleted.owner, { params: deleted.params })
      await callOk(theApp(), ENDPOINTS.deleteWatchlist, ofDeletedList.owner, { params: ofDeletedList.params })
      await removeNow({ database: theDatabase(), clock: systemClock }, ofDeletedList.params.watchlistId)

      await sweep({ hours: 48 })

      for (const { hash } of [edited, deleted, ofDeletedList]) expect(await filesOf(hash)).toBe(0)
    })

    test('a sweep removes an upload that was never used', async () => {
      const hash = await imagesOf(theBlobs()).keepUpload(await aPicture(), 'picture', 'ana')

      const before = await filesOf(hash)
      await sweep({ hours: 48 })

      expect([before, await filesOf(hash)]).toEqual([2, 0])
    })
  })

  test('an image that was removed less than a day ago is still served', async () => {
    const user = aUser()
    const hash = await anAvatar(user)
    await callOk(theApp(), ENDPOINTS.deleteAvatar, user)

    await sweep({ hours: 23 })

    expect(await isServed(hash, 200)).toBe(true)
  })

  test('an image that two cards use stays until both are deleted', async () => {
    const image = await aPicture()
    const ana = aUser()
    const [one, other] = [await aPoster(image, ana), await aPoster(image, ana)]
    await callOk(theApp(), ENDPOINTS.deleteCard, one.owner, { params: one.params })
    await sweep({ hours: 48 })
    const afterOne = await isServed(one.hash)

    await callOk(theApp(), ENDPOINTS.deleteCard, other.owner, { params: other.params })
    await sweep({ hours: 48 })

    expect(other.hash).toBe(one.hash)
    expect([afterOne, await filesOf(one.hash)]).toEqual([true, 0])
  })

  test('a poster whose URL another card uses stays after its first card is deleted', async () => {
    const first = await aPoster()
    const second = await aPoster(first.url)
    await callOk(theApp(), ENDPOINTS.deleteCard, first.owner, { params: first.params })

    await sweep({ hours: 48 })

    expect(second.url).toBe(first.url)
    expect(await isServed(first.hash)).toBe(true)
  })

  describe('an upload during a sweep', () => {
    test('a fresh upload survives a sweep although its file is old and no row refers to it yet', async () => {
      const image = await aPicture()
      const images = imagesOf(theBlobs())
      const hash = await images.keepUpload(image, 'picture', 'ana')
      await age(hash)

      const { removed } = await sweep()

      expect(removed).toBe(0)
      expect(await isServed(hash)).toBe(true)
    })

    test('an upload of an image that a sweep is removing is stored under another name', async () => {
      const image = await aPicture()
      const ana = aUser()
      const old = await aPoster(image, ana)
      await callOk(theApp(), ENDPOINTS.deleteCard, old.owner, { params: old.params })
      const [claimed, mayGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const blobs = theBlobs()
      const slow: BlobStore = {
        ...blobs,
        delete: async (name) => {
          // The sweep may reach images of other tests first.
          if (name.startsWith(old.hash)) {
            claimed.resolve()
            await mayGo.promise
          }
          await blobs.delete(name)
        },
      }

      const sweeping = sweep({ hours: 48, blobs: slow })
      await claimed.promise
      const uploaded = await aPoster(image, ana)
      mayGo.resolve()
      await sweeping

      expect(uploaded.hash).not.toBe(old.hash)
      expect(await isServed(uploaded.hash)).toBe(true)
      expect(await filesOf(old.hash)).toBe(0)
      // No sweep is removing it any more, so its first name is free again.
      expect((await aPoster(image, ana)).hash).toBe(old.hash)
    })

    test('the URL of an image that a sweep is removing is rejected', async () => {
      const old = await aPoster()
      const until = new Date(Date.now() + HOUR_MS).toISOString()
      const now = new Date(Date.now() + 2 * HOUR_MS).toISOString()
      await theDatabase().transaction(async (trx) => await claimImage(trx, old.hash, { now, until }))

      const again = aPoster(old.url)

      await expect(again).rejects.toThrow('400 Please enter a valid image URL')
    })
  })

  test('two concurrent sweeps remove every unused image and keep the used one', { tags: ['race'] }, async () => {
    const user = aUser()
    const hashes: string[] = []
    for (let n = 0; n < 8; n += 1) hashes.push(await anAvatar(user))
    await sweep({ hours: 48 })
    const fresh = await Promise.all(
      Array.from(
        { length: 8 },
        async (_, n) => await imagesOf(theBlobs()).keepUpload(await aPicture(), 'avatar', `user ${n}`),
      ),
    )

    const removed = await Promise.all([sweep({ hours: 48 }), sweep({ hours: 48 })])

    expect(removed.reduce((sum, swept) => sum + swept.removed, 0)).toBeGreaterThanOrEqual(fresh.length)
    expect(await Promise.all(fresh.map(filesOf))).toEqual(fresh.map(() => 0))
    expect(await isServed(hashes.at(-1) ?? '', 200)).toBe(true)
  })

  test('an image that a killed process removed in part is removed by the next sweep', async () => {
    const hash = await imagesOf(theBlobs()).keepUpload(await aPicture(), 'picture', 'ana')
    const blobs = theBlobs()
    let deletions = 0
    const dying: BlobStore = {
      ...blobs,
      delete: async (name) => {
        if (name.startsWith(hash)) deletions += 1
        if (deletions > 1) throw new Error('killed')
        await blobs.delete(name)
      },
    }
    await expect(sweep({ hours: 48, blobs: dying })).rejects.toThrow('killed')
    const half = await filesOf(hash)

    await sweep({ hours: 60 })

    expect(half).toBeGreaterThan(0)
    expect(await filesOf(hash)).toBe(0)
  })

  describe('the trash', () => {
    test('the trash keeps a removed image for a week and does not serve it', async () => {
      const user = aUser()
      const hash = await anAvatar(user)
      await callOk(theApp(), ENDPOINTS.deleteAvatar, user)

      await sweep({ hours: 48 })
      const afterSweep = [await isServed(hash, 200), await isInTrash(hash, 200), await isInTrash(hash, 400)]
      await sweep({ hours: 6 * 24 })
      const afterDays = await isInTrash(hash, 200)
      const { deleted } = await sweep({ hours: 8 * 24 })

      expect(afterSweep).toEqual([false, true, true])
      expect(afterDays).toBe(true)
      expect(deleted).toBeGreaterThan(0)
      expect([await isInTrash(hash, 200), await isInTrash(hash, 400)]).toEqual([false, false])
    })

    test('the trash restores an image that a row refers to again, as after a restored backup', async () => {
      const user = aUser()
      const hash = await anAvatar(user)
      await callOk(theApp(), ENDPOINTS.deleteAvatar, user)
      await sweep({ hours: 48 })
      await theDatabase().transaction(async (trx) => {
        await saveAvatar(trx, user.userId, hash)
      })

      const { restored } = await sweep({ hours: 50 })

      expect(restored).toBe(1)
      expect([await isServed(hash, 200), await isServed(hash, 400)]).toEqual([true, true])
      expect(await isInTrash(hash, 200)).toBe(false)
    })
  })

  describe('more than a tenth of all images', () => {
    /** New stores with unused images that are three days old, and with fresh ones. */
    async function stores(unused: number, fresh: number) {
      const folder = join(theApp().blobFolder, '..', systemRandom.uuid())
      const blobs = diskStore({ folder: join(folder, 'images'), random: systemRandom })
      const trash = diskStore({ folder: join(folder, 'trash'), random: systemRandom })
      const past = new Date(Date.now() - 72 * HOUR_MS)
      for (let n = 0; n < unused + fresh; n += 1) {
        const hash = systemRandom.bytes(32).toString('hex')
        await blobs.put(`${hash}-640.webp`, Buffer.from('x'))
        if (n < unused) await utimes(join(folder, 'images', hash.slice(0, 2), `${hash}-640.webp`), past, past)
      }
      return { database: theDatabase(), clock: { now: () => new Date() }, blobs, trash }
    }

    test('a sweep of more than a tenth of all images needs an operator', async () => {
      const ports = await stores(21, 188)

      const [first, second] = [await sweepImages(ports, GRACE), await sweepImages(ports, GRACE)]
      const byOperator = await sweepImages(ports, { ...GRACE, all: true })

      expect(first).toEqual({ removed: 0, restored: 0, deleted: 0, heldBack: 21 })
      expect(second).toEqual(first)
      expect(byOperator).toEqual({ removed: 21, restored: 0, deleted: 0, heldBack: 0 })
    })

    test('the trash restores used images and keeps the others while removals are held back', async () => {
      const ports = await stores(21, 0)
      const user = aUser()
      await anAvatar(user)
      const [used, unused] = [systemRandom.bytes(32).toString('hex'), systemRandom.bytes(32).toString('hex')]
      for (const hash of [used, unused]) await ports.trash.put(`${hash}-640.webp`, Buffer.from('x'))
      await theDatabase().transaction(async (trx) => {
        await saveAvatar(trx, user.userId, used)
      })
      const inDays = { now: () => new Date(Date.now() + 8 * 24 * HOUR_MS) }

      const swept = await sweepImages({ ...ports, clock: inDays }, GRACE)

      expect(swept).toEqual({ removed: 0, restored: 1, deleted: 0, heldBack: 21 })
      expect([await ports.blobs.has(`${used}-640.webp`), await ports.trash.has(`${unused}-640.webp`)]).toEqual([
        true,
        true,
      ])
    })

    test('a sweep removes up to 20 images whatever their share, and up to a tenth of all images', async () => {
      const [few, many] = [await stores(20, 0), await stores(21, 189)]

      expect((await sweepImages(few, GRACE)).removed).toBe(20)
      expect((await sweepImages(many, GRACE)).removed).toBe(21)
    })
  })

  test('a file that is not an image is not removed', async () => {
    const name = `notes-${systemRandom.uuid()}.txt`
    await theBlobs().put(name, Buffer.from('x'))

    await sweep({ hours: 480 })

    expect(await theBlobs().has(name)).toBe(true)
  })
})
