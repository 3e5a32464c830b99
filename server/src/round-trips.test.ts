import { afterAll, beforeAll, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Database } from '@marquee/platform/database/database'
import { migrate } from '@marquee/platform/database/migrate'
import { openPostgres } from '@marquee/platform/database/postgres'
import { PreparingClient } from '@marquee/platform/database/preparing-client'
import { freshPostgresUrl } from '@marquee/platform/testing/postgres-server'

import { productMigrations } from './migrations/index.ts'
import { callOk } from './testing/call.ts'
import { aCard, aWatchlist } from './testing/make.ts'
import { startApp, type TestApp } from './testing/start-app.ts'

let messages = 0

/** Counts messages to PostgreSQL: statements of one turn leave in one message. */
class CountingClient extends PreparingClient {
  #isOpen = false

  // oxlint-disable-next-line typescript/no-explicit-any -- as in PreparingClient
  override query(...given: unknown[]): any {
    if (!this.#isOpen) {
      this.#isOpen = true
      messages += 1
      process.nextTick(() => {
        this.#isOpen = false
      })
    }
    return super.query(...given)
  }
}

let database: Database<unknown>
let app: TestApp & { stop: () => Promise<void> }

beforeAll(async () => {
  database = openPostgres(await freshPostgresUrl(), { onIdleError: () => undefined, Client: CountingClient })
  await migrate(database, 'product', productMigrations)
  // Activities are announced in the background, after the reply.
  app = await startApp(database, { announceAfterMs: 600_000 })
})
afterAll(async () => {
  await app.stop()
  await database.close()
})

async function scene() {
  const { watchlist, owner } = await aWatchlist(app)
  const [secret, shown] = [
    await aCard(app, { inside: watchlist, by: owner }),
    await aCard(app, { inside: watchlist, by: owner, status: 'REVEALED' }),
  ]
  await aCard(app, { inside: watchlist, by: owner })
  const decided = await aCard(app, { inside: watchlist, by: owner, status: 'WATCHED' })
  const inCard = { watchlistId: watchlist.id, cardId: shown.id }
  const { commentId } = await callOk(app, ENDPOINTS.addComment, owner, { params: inCard, body: { content: 'Hm' } })
  return {
    owner,
    params: { ...inCard, commentId },
    secretParams: { ...inCard, cardId: secret.id },
    decidedParams: { ...inCard, cardId: decided.id },
  }
}

type Scene = Awaited<ReturnType<typeof scene>>

const CALLS: Record<string, (given: Scene) => Promise<unknown>> = {
  'adding a comment': async ({ owner, params }) =>
    await callOk(app, ENDPOINTS.addComment, owner, { params, body: { content: 'Tonight?' } }),
  'editing a comment': async ({ owner, params }) =>
    await callOk(app, ENDPOINTS.editComment, owner, { params, body: { content: 'Tomorrow?' } }),
  'deleting a comment': async ({ owner, params }) => await callOk(app, ENDPOINTS.deleteComment, owner, { params }),
  'rating a movie': async ({ owner, params }) =>
    await callOk(app, ENDPOINTS.saveViewing, owner, { params, body: { stars: 4 } }),
  'revealing a card': async ({ owner, params }) => await callOk(app, ENDPOINTS.revealRandomCard, owner, { params }),
  'accepting a card': async ({ owner, params }) =>
    await callOk(app, ENDPOINTS.moveCard, owner, { params, body: { status: 'WATCHED' } }),
  'putting a card back': async ({ owner, params }) =>
    await callOk(app, ENDPOINTS.moveCard, owner, { params, body: { status: 'SUGGESTED' } }),
  'undoing a decision': async ({ owner, decidedParams: params }) =>
    await callOk(app, ENDPOINTS.undoMove, owner, { params }),
  'editing a card of the feed': async ({ owner, params }) =>
    await callOk(app, ENDPOINTS.editCard, owner, { params, body: { title: 'Ran' } }),
  'editing a card in the box': async ({ owner, secretParams }) =>
    await callOk(app, ENDPOINTS.editCard, owner, { params: secretParams, body: { title: 'Ran' } }),
  'deleting a card of the feed': async ({ owner, params }) =>
    await callOk(app, ENDPOINTS.deleteCard, owner, { params }),
  'deleting a card in the box': async ({ owner, secretParams }) =>
    await callOk(app, ENDPOINTS.deleteCard, owner, { params: secretParams }),
}

test.each(Object.entries(CALLS))('%s takes two round trips to PostgreSQL', async (_what, makeCall) => {
  const given = await scene()
  const before = messages

  await makeCall(given)

  expect(messages - before).toBe(2)
})
