import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { eachDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from './migrations/index.ts'
import { call, type CallInput } from './testing/call.ts'
import { aUser, aWatchlist } from './testing/make.ts'
import { aScene, BODIES, CALLERS, type CallName, QUERIES, type Who } from './testing/scene.ts'
import { anApp } from './testing/start-app.ts'

/**
 * What each call answers to each caller when everything else about it is right (design, section 4), in the order of
 * CALLERS.
 */
const ACCESS: Record<CallName, readonly number[]> = {
  listWatchlists: [401, 200, 200, 200, 200, 200, 200],
  createWatchlist: [401, 201, 201, 201, 201, 201, 201],
  getCurrentWatchlist: [401, 200, 200, 200, 200, 200, 200],
  setCurrentWatchlist: [401, 403, 404, 200, 200, 200, 403],
  getWatchlist: [401, 200, 404, 200, 200, 200, 200],
  updateWatchlist: [401, 403, 404, 200, 200, 200, 403],
  deleteWatchlist: [401, 403, 404, 403, 403, 204, 403],
  uploadWatchlistImage: [401, 403, 404, 200, 200, 200, 403],
  deleteWatchlistImage: [401, 403, 404, 204, 204, 204, 403],
  setWatchlistPrivacy: [401, 403, 404, 403, 403, 200, 403],
  handOverWatchlist: [401, 403, 404, 403, 403, 200, 403],
  removeMember: [401, 403, 404, 204, 403, 204, 403],

  listCards: [401, 200, 404, 200, 200, 200, 200],
  listSuggestions: [401, 403, 404, 200, 200, 200, 403],
  countSuggestedCards: [401, 403, 404, 200, 200, 200, 403],
  addCard: [401, 403, 404, 201, 201, 201, 403],
  revealRandomCard: [401, 403, 404, 200, 200, 200, 403],
  getCard: [401, 200, 404, 200, 200, 200, 200],
  editCard: [401, 403, 404, 403, 200, 200, 403],
  deleteCard: [401, 403, 404, 403, 204, 204, 403],
  moveCard: [401, 403, 404, 200, 200, 200, 403],
  // Its card waits for a decision: there is nothing to undo.
  undoMove: [401, 403, 404, 400, 400, 400, 403],

  listComments: [401, 200, 404, 200, 200, 200, 200],
  addComment: [401, 403, 404, 201, 201, 201, 403],
  editComment: [401, 403, 404, 403, 200, 403, 403],
  deleteComment: [401, 403, 404, 403, 204, 403, 403],

  inviteUser: [401, 403, 404, 201, 201, 201, 403],
  listPendingInvitations: [401, 403, 404, 200, 200, 200, 403],
  withdrawInvitation: [401, 403, 404, 204, 204, 204, 403],
  listReceivedInvitations: [401, 200, 200, 200, 200, 200, 200],
  acceptInvitation: [401, 403, 403, 403, 403, 403, 200],
  acceptReceivedInvitation: [401, 404, 404, 404, 404, 404, 200],
  declineInvitation: [401, 404, 404, 404, 404, 404, 204],

  getOwnProfile: [401, 200, 200, 200, 200, 200, 200],
  getProfile: [401, 200, 200, 200, 200, 200, 200],
  getAvatarUrl: [401, 200, 200, 200, 200, 200, 200],
  uploadAvatar: [401, 200, 200, 200, 200, 200, 200],
  deleteAvatar: [401, 204, 204, 204, 204, 204, 204],
  countRecoveryCodes: [401, 200, 200, 200, 200, 200, 200],
  makeRecoveryCodes: [401, 200, 200, 200, 200, 200, 200],
  listPasskeys: [401, 200, 200, 200, 200, 200, 200],
  listSessions: [401, 200, 200, 200, 200, 200, 200],
  endSession: [401, 404, 404, 404, 404, 404, 404],
  listSecurityEvents: [401, 200, 200, 200, 200, 200, 200],
  exportData: [401, 200, 200, 200, 200, 200, 200],
  renamePasskey: [401, 404, 404, 404, 404, 404, 404],

  // The catalogue is switched off in this test.
  searchCatalogue: [401, 404, 404, 404, 404, 404, 404],
  readCatalogueMovie: [401, 404, 404, 404, 404, 404, 404],
  readCatalogueLink: [401, 404, 404, 404, 404, 404, 404],

  // An address inside the machine: nobody learns more than that it is no image.
  validateImageUrl: [400, 400, 400, 400, 400, 400, 400],
}

const names = Object.keys(ACCESS) as CallName[]
const rows = names.flatMap((name) =>
  CALLERS.map((who, column): [CallName, Who, number] => [name, who, ACCESS[name][column] ?? 0]),
)

eachDatabase({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)

  test.each(rows)('%s as %s answers %i', async (name, who, status) => {
    const { caller, params, look, given, invitee } = await aScene(theApp(), who)
    const body = BODIES[name]?.(given)
    const ofInvitee = name === 'withdrawInvitation' && { username: invitee.username }
    const query = QUERIES[name]
    const input: CallInput = { params: { ...params, ...ofInvitee }, ...(body && { body }), ...(query && { query }) }
    const before = await look()

    const answer = await call(theApp(), ENDPOINTS[name], caller, input)

    expect(answer.status).toBe(status)
    if (status < 400) return
    const types: Record<number, string> = {
      400: 'BAD_REQUEST',
      401: 'UNAUTHORIZED',
      403: 'UNAUTHORIZED',
      404: 'NOT_FOUND',
    }
    expect(answer.body.type).toBe(types[status])
    expect(answer.body.message).not.toBe('')
    expect(await look()).toEqual(before)
  })

  test.each(names.filter((name) => ENDPOINTS[name].path.includes(':watchlistId')))(
    '%s of a watchlist that does not exist is not found',
    async (name) => {
      const { given, params } = await aScene(theApp(), 'stranger')
      const body = BODIES[name]?.(given)
      const nowhere = { ...params, watchlistId: 'none', cardId: 'none', commentId: 'none' }

      const answer = await call(theApp(), ENDPOINTS[name], aUser(), {
        params: nowhere,
        ...(body !== undefined && { body }),
      })

      expect(answer.status).toBe(404)
      expect(answer.body.type).toBe('NOT_FOUND')
    },
  )

  test.each(names.filter((name) => ENDPOINTS[name].path.includes(':cardId')))(
    '%s of a card that does not exist is not found, not even by the owner of another one',
    async (name) => {
      const { given, params } = await aScene(theApp(), 'owner')
      const { watchlist, owner } = await aWatchlist(theApp())
      const body = BODIES[name]?.(given)
      const elsewhere = { ...params, watchlistId: watchlist.id }

      const answer = await call(theApp(), ENDPOINTS[name], owner, {
        params: elsewhere,
        ...(body !== undefined && { body }),
      })

      expect(answer.status).toBe(404)
      expect(answer.body.type).toBe('NOT_FOUND')
    },
  )

  test.each([
    ['no header', undefined, 'Bearer realm="marquee"'],
    ['another scheme', 'Basic YW5hOmFuYQ==', 'Bearer realm="marquee"'],
    ['a token that is none', 'Bearer nonsense', 'Bearer realm="marquee", error="invalid_token"'],
  ])('%s is answered with 401 and how to do it right', async (_what, authorization, challenge) => {
    const headers = authorization === undefined ? {} : { authorization }

    const answer = await call(theApp(), ENDPOINTS.listWatchlists, undefined, { headers })

    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({ type: 'UNAUTHORIZED', message: 'Unauthorized access' })
    expect(answer.headers['www-authenticate']).toBe(challenge)
  })

  test('who is not signed in is told so before the body is looked at', async () => {
    const answer = await call(theApp(), ENDPOINTS.createWatchlist, undefined, { body: 'not json' })

    expect(answer.status).toBe(401)
  })
})
