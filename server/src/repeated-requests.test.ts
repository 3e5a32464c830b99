import { expect, test } from 'vitest'

import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'
import { KEY_REMEMBERED_MS } from '@marquee/contract/limits'
import { KEPT_MS } from '@marquee/platform/idempotency/repeatable'
import { mailForServer } from '@marquee/platform/mail/queue'
import type { MailTables } from '@marquee/platform/mail/store'
import { systemClock } from '@marquee/platform/runtime/clock'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from './migrations/index.ts'
import { call, type Caller, type CallInput, callOk } from './testing/call.ts'
import { aCard, aWatchlist } from './testing/make.ts'
import { EMPTY_EXPORT } from './testing/scene.ts'
import { anApp } from './testing/start-app.ts'
import { register } from './testing/test-accounts.ts'

type Keyed = { [N in EndpointName]: (typeof ENDPOINTS)[N] extends { takesKey: true } ? N : never }[EndpointName]

const BODIES: Record<Keyed, object | undefined> = {
  createWatchlist: { name: 'Films' },
  restoreWatchlist: EMPTY_EXPORT,
  addCard: { title: 'Stalker', image: 'https://example.org/stalker.jpg' },
  revealRandomCard: undefined,
  prepareDraw: {},
  revealDraw: { seeds: ['5e'.repeat(32)] },
  undoMove: undefined,
  beginImport: { fileName: 'films.txt', fileData: 'U3RhbGtlcg==' },
  planNight: { times: ['2098-11-28T20:00'], timeZone: 'UTC' },
  addComment: { content: 'Seen twice' },
  moveCard: { status: 'SUGGESTED' },
  editComment: { content: 'Seen three times' },
  saveViewing: { stars: 4.5 },
  answerNight: { answer: 'in' },
  inviteUser: { username: 'cleo' },
  inviteByMail: { email: 'dora@example.org' },
  createJoinLink: { days: 7, maxUses: 10 },
  vetoCard: {},
  addGuest: { nickname: 'Lea' },
  joinNight: { nickname: 'Lea' },
}

const keyed = Object.keys(BODIES) as Keyed[]

eachStatement({ product: productMigrations }, (theDatabase) => {
  // Mails stay in the outbox, where they can be counted.
  const theApp = anApp(theDatabase, {
    mail: mailForServer({ clock: systemClock, random: systemRandom }),
  })
  const countMails = async () =>
    (await theDatabase().withTables<MailTables>().read.selectFrom('mail_outbox').select('id').execute()).length

  async function anOpenNight(owner: Caller, params: { watchlistId: string }) {
    const { id: nightId } = await callOk(theApp(), ENDPOINTS.openNight, owner, { params })
    return await callOk(theApp(), ENDPOINTS.makeNightCode, owner, { params: { nightId } })
  }

  async function aPlannedNight(owner: Caller, params: { watchlistId: string }) {
    const body = { times: ['2098-11-28T20:00'], timeZone: 'UTC' }
    return await callOk(theApp(), ENDPOINTS.planNight, owner, { params, body })
  }

  async function scene(name: Keyed) {
    register({ userId: systemRandom.uuid(), username: 'cleo', email: 'cleo@example.org' })
    const { watchlist, owner } = await aWatchlist(theApp())
    for (let n = 0; n < 3; n += 1) await aCard(theApp(), { inside: watchlist, by: owner })
    const inWatchlist = { watchlistId: watchlist.id }
    const night = ['addGuest', 'joinNight', 'vetoCard'].includes(name)
      ? await anOpenNight(owner, inWatchlist)
      : undefined
    const planned = name === 'answerNight' ? await aPlannedNight(owner, inWatchlist) : undefined
    const status = name === 'undoMove' ? 'WATCHED' : 'REVEALED'
    const card = await aCard(theApp(), { inside: watchlist, by: owner, status })
    const inCard = { watchlistId: watchlist.id, cardId: card.id }
    const draw = await callOk(theApp(), ENDPOINTS.prepareDraw, owner, { params: inCard, body: {} })
    const comment = { content: 'Seen once' }
    const { commentId } = await callOk(theApp(), ENDPOINTS.addComment, owner, { params: inCard, body: comment })
    const nightId = (night ?? planned)?.id
    const params = { ...inCard, commentId, drawNumber: String(draw.drawNumber), ...(nightId && { nightId }) }
    const headers = { 'idempotency-key': systemRandom.uuid() }
    const bodies = {
      ...BODIES,
      joinNight: { ...BODIES.joinNight, code: night?.joinCode },
      vetoCard: { cardId: card.id },
      answerNight: { ...BODIES.answerNight, startsAt: planned?.times[0]?.startsAt },
    }
    const body = bodies[name]
    const ask = async (others: CallInput = {}) =>
      await call(theApp(), ENDPOINTS[name], owner, { params, headers, ...(body !== undefined && { body }), ...others })
    const look = async () => [
      await callOk(theApp(), ENDPOINTS.listWatchlists, owner),
      await callOk(theApp(), ENDPOINTS.listCards, owner, { params }),
      await callOk(theApp(), ENDPOINTS.countSuggestedCards, owner, { params }),
      await callOk(theApp(), ENDPOINTS.listDraws, owner, { params }),
      // Not found if the card went back into the box.
      (await call(theApp(), ENDPOINTS.listComments, owner, { params })).body,
      await callOk(theApp(), ENDPOINTS.listPendingInvitations, owner, { params }),
      await callOk(theApp(), ENDPOINTS.listJoinLinks, owner, { params }),
      await callOk(theApp(), ENDPOINTS.listImports, owner, { params }),
      await callOk(theApp(), ENDPOINTS.listNights, owner, { params }),
      await countMails(),
    ]
    return { ask, look }
  }

  // These come first: then the others send PostgreSQL nothing new.
  test.each(keyed)(
    '%s takes effect once when sent four times at once, and gets the same reply when repeated later',
    { tags: ['race'] },
    async (name) => {
      const { ask, look } = await scene(name)

      const answers = await Promise.all([ask(), ask(), ask(), ask()])
      const after = await look()
      const again = await ask()

      const replayed = answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')
      const [first] = answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)
      expect(replayed).toHaveLength(3)
      for (const { status, body } of [...replayed, again])
        expect({ status, body }).toEqual({ status: ENDPOINTS[name].status, body: first?.body })
      expect(again.headers['idempotency-replayed']).toBe('true')
      expect(await look()).toEqual(after)
    },
  )

  test('the list of calls with an idempotency key is complete', () => {
    const marked = Object.entries(ENDPOINTS).flatMap(([name, endpoint]) => ('takesKey' in endpoint ? [name] : []))

    expect(keyed.toSorted()).toEqual(marked.toSorted())
  })

  test('a key that was used for another request is rejected with the name of the header', async () => {
    const { ask, look } = await scene('addCard')
    await ask()
    const before = await look()

    const answer = await ask({ body: { title: 'Solaris', image: 'https://example.org/solaris.jpg' } })

    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      type: 'BAD_REQUEST',
      message: 'Idempotency-Key: this key has come with another request before',
    })
    expect(await look()).toEqual(before)
  })

  test('an invalid key is rejected with the name of the header', async () => {
    const { ask, look } = await scene('addCard')
    const before = await look()

    const answer = await ask({ headers: { 'idempotency-key': 'short' } })

    expect(answer.status).toBe(400)
    expect(answer.body.message).toBe('Idempotency-Key: must be 16 to 128 visible ASCII characters')
    expect(await look()).toEqual(before)
  })

  test('repeating the put-back of a card that was revealed again leaves it in the feed', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())
    const card = await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED' })
    const params = { watchlistId: watchlist.id, cardId: card.id }
    const putBack = { params, body: { status: 'SUGGESTED' }, headers: { 'idempotency-key': systemRandom.uuid() } }
    await callOk(theApp(), ENDPOINTS.moveCard, owner, putBack)
    await callOk(theApp(), ENDPOINTS.revealRandomCard, owner, { params })

    const again = await callOk(theApp(), ENDPOINTS.moveCard, owner, putBack)

    expect(again.status).toBe('SUGGESTED')
    expect((await callOk(theApp(), ENDPOINTS.getCard, owner, { params })).status).toBe('REVEALED')
  })

  test('a key is remembered for as long as the contract promises', () => {
    expect(KEPT_MS).toBe(KEY_REMEMBERED_MS)
  })
})
