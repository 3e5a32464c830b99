import type { Page } from '@playwright/test'

import { aPng } from './png.ts'

type CardStatus = 'SUGGESTED' | 'REVEALED' | 'WATCHED' | 'REJECTED'

/**
 * A card to be made. Its image is one that the journeys' poster host answers with, unless another is given. A card that
 * is put back must be the only one in the box, so that the reveal draws it again.
 */
export type CardWish = {
  title: string
  description?: string
  image?: string
  status?: CardStatus
  timesPutBack?: number
}

type Made = { id: string }

/** Makes what a journey starts from over the product API, as one person. */
export type Seeder = {
  watchlist: (name: string, description?: string) => Promise<Made>
  card: (watchlistId: string, wish: CardWish) => Promise<Made>
  comment: (watchlistId: string, cardId: string, content: string) => Promise<void>
  makeCurrent: (watchlistId: string) => Promise<void>
  /** From now on only members read it. */
  makePrivate: (watchlistId: string) => Promise<void>
  /** Invites somebody; gives the token of the link. */
  invite: (watchlistId: string, username: string) => Promise<string>
  /** Joins a watchlist with the token of an invitation. */
  accept: (token: string) => Promise<void>
  /** Gives a watchlist an image: a data URL, or one colour. */
  image: (watchlistId: string, imageData?: string) => Promise<void>
  /** Puts on a face: a data URL, or one colour. */
  avatar: (imageData?: string) => Promise<void>
}

export const POSTER_URL = 'http://posters.example.org/poster.jpg'

const ONE_COLOUR = `data:image/png;base64,${aPng({ width: 200, height: 200 }).toString('base64')}`

/** Seeds as the person who is signed in on a page. */
export async function seedAs(page: Page): Promise<Seeder> {
  const { origin } = new URL(page.url())
  return seedWith(origin, await idTokenOf(page))
}

/** Seeds as the person of an id token. */
export function seedWith(origin: string, idToken: string): Seeder {
  async function send<Reply>(method: 'POST' | 'PUT', path: string, body: unknown): Promise<Reply> {
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Reply
  }

  return {
    watchlist: async (name, description) => await send<Made>('POST', '/watchlists', { name, description }),
    card: async (watchlistId, { title, description, image = POSTER_URL, status = 'SUGGESTED', timesPutBack = 0 }) => {
      const cards = `/watchlists/${watchlistId}/cards`
      const body = { title, description, image, revealImmediately: status !== 'SUGGESTED' }
      const card = await send<Made>('POST', cards, body)
      for (let times = 0; times < timesPutBack; times += 1) {
        await send('PUT', `${cards}/${card.id}/status`, { status: 'SUGGESTED' })
        await send('POST', `${cards}/reveal`, undefined)
      }
      const isMoved = status === 'WATCHED' || status === 'REJECTED'
      return isMoved ? await send<Made>('PUT', `${cards}/${card.id}/status`, { status }) : card
    },
    comment: async (watchlistId, cardId, content) => {
      await send('POST', `/watchlists/${watchlistId}/cards/${cardId}/comments`, { content })
    },
    makePrivate: async (watchlistId) => {
      await send('PUT', `/watchlists/${watchlistId}/privacy`, { isPrivate: true })
    },
    makeCurrent: async (watchlistId) => {
      await send('POST', '/watchlists/current', { watchlistId })
    },
    invite: async (watchlistId, username) => {
      const { token } = await send<{ token: string }>('POST', `/watchlists/${watchlistId}/invitations`, { username })
      return token
    },
    accept: async (token) => {
      await send('POST', '/invitations/acceptance', { token })
    },
    image: async (watchlistId, imageData = ONE_COLOUR) => {
      await send('POST', `/watchlists/${watchlistId}/image`, { imageData })
    },
    avatar: async (imageData = ONE_COLOUR) => {
      await send('POST', '/profile/avatar', { imageData })
    },
  }
}

/** Lets somebody join a watchlist at the invitation of one of its members. */
export async function join(watchlistId: string, member: Seeder, guest: Seeder, guestName: string): Promise<void> {
  await guest.accept(await member.invite(watchlistId, guestName))
}

/** The id token that Amplify keeps in the browser for whoever is signed in. */
export async function idTokenOf(page: Page): Promise<string> {
  return await storedToken(page, 'idToken')
}

/** Ends the session of whoever is signed in on a page behind its back, as a change of the password elsewhere does. */
export async function endSessionOf(page: Page): Promise<void> {
  const { origin } = new URL(page.url())
  const config = (await (await fetch(`${origin}/config.json`)).json()) as { auth: { userPoolClientId: string } }
  const response = await fetch(`${origin}/identity/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSCognitoIdentityProviderService.RevokeToken',
    },
    body: JSON.stringify({ ClientId: config.auth.userPoolClientId, Token: await storedToken(page, 'refreshToken') }),
  })
  if (!response.ok) throw new Error(`RevokeToken was answered ${response.status}: ${await response.text()}`)
}

async function storedToken(page: Page, kind: 'idToken' | 'accessToken' | 'refreshToken'): Promise<string> {
  const kept = await page.evaluate(() => Object.entries(localStorage) as [string, string][])
  const token = kept.find(([key]) => key.startsWith('CognitoIdentityServiceProvider.') && key.endsWith(`.${kind}`))
  if (!token) throw new Error(`Nobody is signed in on ${page.url()}`)
  return token[1]
}
