import type { Page } from '@playwright/test'

import { aPng } from './png.ts'

type CardStatus = 'SUGGESTED' | 'REVEALED' | 'WATCHED' | 'REJECTED'

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
}

type Made = { id: string }

/** Creates test data through the product API as one user. */
export type Seeder = {
  watchlist: (name: string, description?: string) => Promise<Made>
  card: (watchlistId: string, card: NewCard) => Promise<Made>
  comment: (watchlistId: string, cardId: string, content: string) => Promise<void>
  makeCurrent: (watchlistId: string) => Promise<void>
  makePrivate: (watchlistId: string) => Promise<void>
  /** Invites a user and returns the token of the link. */
  invite: (watchlistId: string, username: string) => Promise<string>
  accept: (token: string) => Promise<void>
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
  if (!token) throw new Error(`No user is signed in on ${page.url()}`)
  return token[1]
}
