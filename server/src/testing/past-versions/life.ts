import { setTimeout as pause } from 'node:timers/promises'

import { aPng } from '../images.ts'
import type { Do } from './client.ts'

export type People = { ana: Do; ben: Do; cleo: Do }
type Card = { id: string; title: string }

/** What the life of a version has made, as far as its reads need it. */
export type Lived = {
  watchlistId: string
  publicId: string
  cardIds: readonly string[]
  nightIds?: readonly string[]
  drawNumbers?: readonly number[]
  importId?: string
  personalToken?: string
}

/** What members could do in the first version, and in each since. */
export async function live({ ana, ben, cleo }: People): Promise<Lived> {
  await ana('POST', '/profile/avatar', { imageData: await aPng({ width: 20, height: 20 }) })
  await ben('POST', '/profile/avatar', { imageData: await aPng({ width: 24, height: 24 }) })
  const { id: watchlistId } = await ana('POST', '/watchlists', {
    name: 'Filmclub „Späti“ 🎬',
    description: 'Thursdays.\nBring crisps.',
  })
  const list = `/watchlists/${watchlistId}`
  await ana('POST', `${list}/image`, { imageData: await aPng({ width: 40, height: 30 }) })
  await ana('PUT', `${list}/privacy`, { isPrivate: true })
  await ana('POST', '/watchlists/current', { watchlistId })
  await ana('POST', `${list}/invitations`, { username: 'ben' })
  await ben('POST', `/invitations/${watchlistId}/acceptance`)
  await ben('POST', `${list}/invitations`, { username: 'cleo' })
  const { id: publicId } = await ben('POST', '/watchlists', { name: 'Everyone', description: null })

  const add = async (who: Do, title: string, height: number): Promise<Card> =>
    await who('POST', `${list}/cards`, {
      title,
      description: `Why ${title}?`,
      image: await aPng({ width: 10, height }),
    })
  for (const [n, title] of ['Stalker', 'Playtime', 'Das Boot', 'Amélie'].entries()) {
    await add(n % 2 === 0 ? ana : ben, title, 15 + n)
  }
  const reveal = async (who: Do) => await who<Card>('POST', `${list}/cards/reveal`)
  const [watched, rejected, back, open] = [await reveal(ana), await reveal(ben), await reveal(ana), await reveal(ben)]
  await ben('PUT', `${list}/cards/${watched.id}/status`, { status: 'WATCHED' })
  await ana('PUT', `${list}/cards/${rejected.id}/status`, { status: 'REJECTED' })
  await ben('PUT', `${list}/cards/${back.id}/status`, { status: 'SUGGESTED' })
  const atOnce = await ben<Card>('POST', `${list}/cards`, {
    title: 'Heat',
    image: await aPng({ width: 12, height: 18 }),
    revealImmediately: true,
  })
  await ben('PUT', `${list}/cards/${atOnce.id}`, { title: 'Heat (1995)', description: 'Los Angeles' })
  for (const title of ['Ran', 'Alien', 'Fargo']) await add(ana, title, 25)
  await discuss({ ana, ben }, `${list}/cards/${watched.id}/comments`)
  await cleo('GET', '/invitations')
  return { watchlistId, publicId, cardIds: [watched.id, rejected.id, open.id, atOnce.id] }
}

async function discuss({ ana, ben }: Pick<People, 'ana' | 'ben'>, comments: string): Promise<void> {
  const first = await ana<{ commentId: string }>('POST', comments, { content: 'What a film! @ben' })
  await ben('POST', comments, { content: 'Slept through the middle.' })
  const gone = await ben<{ commentId: string }>('POST', comments, { content: 'Deleted later' })
  await ben('DELETE', `${comments}/${gone.commentId}`)
  await ana('PUT', `${comments}/${first.commentId}`, { content: 'What a film, @ben!' })
}

/** Repeats a question until the answer is the expected one: some things happen in the background. */
export async function until<T>(question: () => Promise<T>, isRight: (answer: T) => boolean): Promise<void> {
  while (!isRight(await question())) await pause(100)
}
