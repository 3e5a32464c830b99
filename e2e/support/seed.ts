import { type Endpoint, ENDPOINTS, type Reply } from '@marquee/contract/endpoints'
import type { Card, CardStatus } from '@marquee/contract/entities/card'
import type { Movie } from '@marquee/contract/entities/movie'
import type { Night } from '@marquee/contract/entities/night'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import type { Page } from '@playwright/test'

import { callApi, callIdentity, type Input } from './api.ts'
import { aPng } from './png.ts'

/**
 * A card to create. By default its image is on the poster host. A card that is put back must be the only one in the box,
 * so that the reveal draws it again.
 */
export type NewCard = {
  title: string
  description?: string
  image?: string
  status?: CardStatus
  timesPutBack?: number
  movie?: Partial<Movie>
}

/** Creates test data through the product API as one user. */
export type Seeder = {
  watchlist: (name: string, description?: string) => Promise<Watchlist>
  card: (watchlistId: string, card: NewCard) => Promise<Card>
  /** The cards of the feed, newest status change first. */
  feed: (watchlistId: string) => Promise<Card[]>
  /** Accepts or declines a revealed card. */
  decide: (watchlistId: string, cardId: string, status: 'WATCHED' | 'REJECTED') => Promise<void>
  /** Puts a revealed card back into the box. */
  putBack: (watchlistId: string, cardId: string) => Promise<void>
  comment: (watchlistId: string, cardId: string, content: string) => Promise<void>
  makeCurrent: (watchlistId: string) => Promise<void>
  makePrivate: (watchlistId: string) => Promise<void>
  /** Plans a night at one time, on a clock in Berlin. */
  plan: (watchlistId: string, time: string) => Promise<Night>
  /** The open night and the planned ones. */
  nights: (watchlistId: string) => Promise<Night[]>
  /** Starts a night without a plan. The user is there. */
  startNight: (watchlistId: string) => Promise<void>
  /** Invites a user and returns the token of the link. */
  invite: (watchlistId: string, username: string) => Promise<string>
  /** Creates a join link for a day and ten people and returns its token. */
  joinLink: (watchlistId: string) => Promise<string>
  accept: (token: string) => Promise<void>
  /** Ends the membership of a user. */
  remove: (watchlistId: string, username: string) => Promise<void>
  /** Sets the image of a watchlist, a data URL, by default of one colour. */
  image: (watchlistId: string, imageData?: string) => Promise<void>
  /** Sets the profile picture, a data URL, by default of one colour. */
  avatar: (imageData?: string) => Promise<void>
}

export const POSTER_URL = 'http://posters.example.org/poster.jpg'

const ONE_COLOUR = `data:image/png;base64,${aPng({ width: 200, height: 200 }).toString('base64')}`

/** Seeds as the signed-in user of a page. */
export async function seedAs(page: Page): Promise<Seeder> {
  const { origin } = new URL(page.url())
  return seedWith(origin, await idTokenOf(page))
}

/** Seeds as the user of an id token. */
export function seedWith(origin: string, idToken: string): Seeder {
  const call = async <E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Reply<E>> =>
    await callApi(origin, idToken, endpoint, input)

  return {
    watchlist: async (name, description) => await call(ENDPOINTS.createWatchlist, { body: { name, description } }),
    card: async (
      watchlistId,
      { title, description, image = POSTER_URL, status = 'SUGGESTED', timesPutBack = 0, movie },
    ) => {
      const body = { title, description, image, movie, revealImmediately: status !== 'SUGGESTED' }
      const card = await call(ENDPOINTS.addCard, { params: { watchlistId }, body })
      const params = { watchlistId, cardId: card.id }
      for (let times = 0; times < timesPutBack; times += 1) {
        await call(ENDPOINTS.moveCard, { params, body: { status: 'SUGGESTED' } })
        await call(ENDPOINTS.revealRandomCard, { params: { watchlistId } })
      }
      const isMoved = status === 'WATCHED' || status === 'REJECTED'
      return isMoved ? await call(ENDPOINTS.moveCard, { params, body: { status } }) : card
    },
    feed: async (watchlistId) => (await call(ENDPOINTS.listCards, { params: { watchlistId } })).cards,
    decide: async (watchlistId, cardId, status) => {
      await call(ENDPOINTS.moveCard, { params: { watchlistId, cardId }, body: { status } })
    },
    putBack: async (watchlistId, cardId) => {
      await call(ENDPOINTS.moveCard, { params: { watchlistId, cardId }, body: { status: 'SUGGESTED' } })
    },
    comment: async (watchlistId, cardId, content) => {
      await call(ENDPOINTS.addComment, { params: { watchlistId, cardId }, body: { content } })
    },
    makePrivate: async (watchlistId) => {
      await call(ENDPOINTS.setWatchlistPrivacy, { params: { watchlistId }, body: { isPrivate: true } })
    },
    makeCurrent: async (watchlistId) => {
      await call(ENDPOINTS.setCurrentWatchlist, { body: { watchlistId } })
    },
    plan: async (watchlistId, time) => {
      const body = { times: [time], timeZone: 'Europe/Berlin', place: 'At Ana’s' }
      return await call(ENDPOINTS.planNight, { params: { watchlistId }, body })
    },
    nights: async (watchlistId) => (await call(ENDPOINTS.listNights, { params: { watchlistId } })).nights,
    startNight: async (watchlistId) => {
      await call(ENDPOINTS.openNight, { params: { watchlistId } })
    },
    invite: async (watchlistId, username) => {
      const { token } = await call(ENDPOINTS.inviteUser, { params: { watchlistId }, body: { username } })
      return token
    },
    joinLink: async (watchlistId) =>
      (await call(ENDPOINTS.createJoinLink, { params: { watchlistId }, body: { days: 1, maxUses: 10 } })).token,
    accept: async (token) => {
      await call(ENDPOINTS.acceptInvitation, { body: { token } })
    },
    remove: async (watchlistId, username) => {
      await call(ENDPOINTS.removeMember, { params: { watchlistId, username } })
    },
    image: async (watchlistId, imageData = ONE_COLOUR) => {
      await call(ENDPOINTS.uploadWatchlistImage, { params: { watchlistId }, body: { imageData } })
    },
    avatar: async (imageData = ONE_COLOUR) => {
      await call(ENDPOINTS.uploadAvatar, { body: { imageData } })
    },
  }
}

/** Makes a user a member of a watchlist by an invitation. */
export async function join(watchlistId: string, member: Seeder, invitee: Seeder, name: string): Promise<void> {
  await invitee.accept(await member.invite(watchlistId, name))
}

/** The id token that Amplify stores in the browser. */
export async function idTokenOf(page: Page): Promise<string> {
  return await storedToken(page, 'idToken')
}

/** Ends the session of a page without its knowledge, as a password change on another device does. */
export async function endSessionOf(page: Page): Promise<void> {
  const { origin } = new URL(page.url())
  await callIdentity(origin, 'RevokeToken', { Token: await storedToken(page, 'refreshToken') })
}

async function storedToken(page: Page, kind: 'idToken' | 'accessToken' | 'refreshToken'): Promise<string> {
  const kept = await page.evaluate(() => Object.entries(localStorage) as [string, string][])
  const token = kept.find(([key]) => key.startsWith('CognitoIdentityServiceProvider.') && key.endsWith(`.${kind}`))
  if (!token) throw new Error(`No user is signed in on ${page.url()}`)
  return token[1]
}
