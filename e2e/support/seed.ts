import type { Page } from '@playwright/test'

type CardStatus = 'SUGGESTED' | 'REVEALED' | 'WATCHED' | 'REJECTED'

/** A card to be made. Its image is one that the journeys' poster host answers with, unless another is given. */
export type CardWish = { title: string; description?: string; image?: string; status?: CardStatus }

type Made = { id: string }

/** Makes what a journey starts from over the product API, as the person who is signed in on a page. */
export type Seeder = {
  watchlist: (name: string, description?: string) => Promise<Made>
  card: (watchlistId: string, wish: CardWish) => Promise<Made>
  makeCurrent: (watchlistId: string) => Promise<void>
}

export const POSTER_URL = 'https://posters.example.org/poster.jpg'

export async function seedAs(page: Page): Promise<Seeder> {
  const token = await idTokenOf(page)
  const { origin } = new URL(page.url())

  async function send(method: 'POST' | 'PUT', path: string, body: unknown): Promise<Made> {
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Made
  }

  return {
    watchlist: async (name, description) => await send('POST', '/watchlists', { name, description }),
    card: async (watchlistId, { title, description, image = POSTER_URL, status = 'SUGGESTED' }) => {
      const cards = `/watchlists/${watchlistId}/cards`
      const body = { title, description, image, revealImmediately: status !== 'SUGGESTED' }
      const card = await send('POST', cards, body)
      const isMoved = status === 'WATCHED' || status === 'REJECTED'
      return isMoved ? await send('PUT', `${cards}/${card.id}/status`, { status }) : card
    },
    makeCurrent: async (watchlistId) => {
      await send('POST', '/watchlists/current', { watchlistId })
    },
  }
}

/** The id token that Amplify keeps in the browser for whoever is signed in. */
export async function idTokenOf(page: Page): Promise<string> {
  return await storedToken(page, 'idToken')
}

async function storedToken(page: Page, kind: 'idToken' | 'accessToken' | 'refreshToken'): Promise<string> {
  const kept = await page.evaluate(() => Object.entries(localStorage) as [string, string][])
  const token = kept.find(([key]) => key.startsWith('CognitoIdentityServiceProvider.') && key.endsWith(`.${kind}`))
  if (!token) throw new Error(`Nobody is signed in on ${page.url()}`)
  return token[1]
}
