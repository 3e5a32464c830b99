import { expect, test } from 'vitest'

import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../../migrations/index.ts'
import { type CallInput, call, callOk } from '../../../../testing/call.ts'
import { aPng } from '../../../../testing/images.ts'
import { aCard, aUser, aWatchlist } from '../../../../testing/make.ts'
import { anApp } from '../../../../testing/start-app.ts'
import { imageAddresses } from '../../images/names.ts'
import { feedVersions } from './feed-version.ts'

test('the version of a page changes with the feed, the origin of images and the setting for posters', () => {
  const here = feedVersions(imageAddresses('http://localhost:3000', 'copy'))
  const there = feedVersions(imageAddresses('https://films.example.org', 'copy'))
  const direct = feedVersions(imageAddresses('http://localhost:3000', 'direct'))

  expect(here(1)).toBe(here(1))
  expect(new Set([here(1), here(2), there(1), direct(1)]).size).toBe(4)
})

type Change = [what: string, name: EndpointName, input?: { of?: 'secret' } & Pick<CallInput, 'body'>]

const POSTER = 'https://example.org/poster.jpg'
const OF_THE_FEED: Change[] = [
  ['adding a card that is revealed', 'addCard', { body: { title: 'Ran', image: POSTER, revealImmediately: true } }],
  ['revealing a card', 'revealRandomCard'],
  ['putting a card back', 'moveCard', { body: { status: 'SUGGESTED' } }],
  ['accepting a card', 'moveCard', { body: { status: 'WATCHED' } }],
  ['editing a card of the feed', 'editCard', { body: { title: 'Changed' } }],
  ['deleting a card of the feed', 'deleteCard'],
  ['commenting', 'addComment', { body: { content: 'New' } }],
  ['editing a comment', 'editComment', { body: { content: 'Changed' } }],
  ['deleting a comment', 'deleteComment'],
  // They no longer want the cards of others, which the feed shows.
  ['removing a member', 'removeMember'],
]
const OF_SOMETHING_ELSE: Change[] = [
  ['adding a card to the box', 'addCard', { body: { title: 'Ran', image: POSTER } }],
  ['editing a card in the box', 'editCard', { of: 'secret', body: { title: 'Changed' } }],
  ['deleting a card in the box', 'deleteCard', { of: 'secret' }],
  ['changing the watchlist', 'updateWatchlist', { body: { name: 'Changed' } }],
  ['making the watchlist private', 'setWatchlistPrivacy', { body: { isPrivate: true } }],
  ['handing the watchlist over', 'handOverWatchlist', { body: { username: 'Ben' } }],
  ['inviting a user', 'inviteUser', { body: { username: 'fred' } }],
]

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)

  /** The versions of the feed before and after a change by the owner. */
  async function versionsAround([, name, { of, body } = {}]: Change): Promise<unknown[]> {
    aUser('fred')
    const { watchlist, owner } = await aWatchlist(theApp(), { members: [aUser('Ben')] })
    const secret = await aCard(theApp(), { inside: watchlist, by: owner })
    const shown = await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED' })
    const params = { watchlistId: watchlist.id, username: 'Ben', cardId: shown.id }
    const { commentId } = await callOk(theApp(), ENDPOINTS.addComment, owner, { params, body: { content: 'Old' } })
    const version = async () => (await call(theApp(), ENDPOINTS.listCards, owner, { params })).headers['etag']
    const before = await version()

    await callOk(theApp(), ENDPOINTS[name], owner, {
      params: { ...params, commentId, ...(of === 'secret' && { cardId: secret.id }) },
      body,
    })

    return [before, await version()]
  }

  test.each(OF_THE_FEED)('%s changes the version of the feed', async (...change) => {
    const [before, after] = await versionsAround(change)

    expect(after).not.toBe(before)
  })

  test.each(OF_SOMETHING_ELSE)('%s does not change the version of the feed', async (...change) => {
    const [before, after] = await versionsAround(change)

    expect(after).toBe(before)
  })

  test('a new watchlist image and a new member do not change the version of the feed', async () => {
    const ben = aUser('ben of the other list')
    const { watchlist, owner } = await aWatchlist(theApp())
    const params = { watchlistId: watchlist.id }
    const version = async () => (await call(theApp(), ENDPOINTS.listCards, owner, { params })).headers['etag']
    const before = await version()

    await callOk(theApp(), ENDPOINTS.uploadWatchlistImage, owner, { params, body: { imageData: await aPng() } })
    await callOk(theApp(), ENDPOINTS.inviteUser, owner, { params, body: { username: ben.username } })
    await callOk(theApp(), ENDPOINTS.acceptReceivedInvitation, ben, { params })

    expect(await version()).toBe(before)
  })
})
