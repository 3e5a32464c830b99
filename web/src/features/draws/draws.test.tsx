import { createHash } from 'node:crypto'

import { DRAW_VECTORS } from '@marquee/contract/testing/draw-vectors'
import type { DrawOdds, DrawReceipt, DrawRule } from '@marquee/contract/entities/draw'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'

import { fakeApi, type FakeAnswers, Refusal } from '#web/testing/fake-api.ts'
import { aLiveStream } from '#web/testing/live.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard, aReceipt, drawing } from '#web/testing/samples.ts'

import { DrawLog } from './draw-log.tsx'
import { DrawDetails } from './draw-receipt.tsx'
import { ImportOdds } from './import-odds.tsx'
import { OddsPanel } from './odds-panel.tsx'
import { revealCard } from '#web/api/reveal-card.ts'

tidyUp()

describe('revealing a card', () => {
  const conflict = (details: object) => new Refusal(409, 'CONFLICT', 'A card has left the box', details)
  const names = (api: ReturnType<typeof fakeApi>) => api.calls.map(({ name }) => name)

  test('a reveal prepares a draw, sends the hash of 32 random bytes, then the bytes', async () => {
    const api = fakeApi(drawing(aCard('drawn')))

    const card = await revealCard('w1', 'key')

    expect(card.id).toBe('drawn')
    expect(api.callsOf('revealDraw').map(({ request }) => request)).toMatchObject([
      { params: { drawNumber: '1' }, body: { seeds: [expect.stringMatching(/^[\da-f]{64}$/u)] } },
    ])
    const revealed = api.callsOf('revealDraw')[0]?.request.body as { seeds: string[] } | undefined
    const seed = revealed?.seeds[0] ?? ''
    const hash = createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex')
    expect(api.callsOf('closeSeedHashes')[0]?.request.body).toEqual({ hashes: [hash] })
    expect(names(api)).toEqual(['prepareDraw', 'closeSeedHashes', 'revealDraw'])
  })

  test('a reveal continues with the draw that replaced its own', async () => {
    const answers = drawing(aCard('drawn'))
    const api = fakeApi({
      ...answers,
      revealDraw: ({ params }) => (params['drawNumber'] === '1' ? conflict({ drawNumber: 2 }) : answers.revealDraw()),
    })

    expect((await revealCard('w1', 'key')).id).toBe('drawn')
    expect(names(api)).toEqual(['prepareDraw', 'closeSeedHashes', 'revealDraw', 'closeSeedHashes', 'revealDraw'])
  })

  test('a reveal prepares a new draw if its member may not take part in the replacement', async () => {
    const answers = drawing(aCard('drawn'))
    let prepared = 0
    const api = fakeApi({
      ...answers,
      prepareDraw: () => ({ ...answers.prepareDraw(), drawNumber: (prepared += 1) === 1 ? 1 : 3 }),
      closeSeedHashes: (request) =>
        request.params['drawNumber'] === '2' ? new Refusal(400, 'BAD_REQUEST', 'No') : answers.closeSeedHashes(request),
      revealDraw: ({ params }) => (params['drawNumber'] === '1' ? conflict({ drawNumber: 2 }) : answers.revealDraw()),
    })

    expect((await revealCard('w1', 'key')).id).toBe('drawn')
    expect(api.callsOf('closeSeedHashes').map(({ request }) => request.params['drawNumber'])).toEqual(['1', '2', '3'])
    expect(api.callsOf('revealDraw').map(({ request }) => request.params['drawNumber'])).toEqual(['1', '3'])
  })

  test('a reveal still works if the server does not accept hashes of seeds', async () => {
    const notFound = () => new Refusal(404, 'NOT_FOUND', 'Resource not found')
    const api = fakeApi({ ...drawing(aCard('drawn')), closeSeedHashes: notFound })

    expect((await revealCard('w1', 'key')).id).toBe('drawn')
    expect(names(api)).toEqual(['prepareDraw', 'closeSeedHashes', 'revealDraw'])
  })

  test.each([
    ['a draw', 1],
    ['the draw that replaced it', 2],
  ])('a reveal whose reply was lost shows the same movie on the next try, after %s', async (_what, last) => {
    const revealed = new Set<string>()
    let isOffline = true
    const api = fakeApi({
      ...drawing(aCard('drawn')),
      closeSeedHashes: ({ params, body }) => (revealed.has(params['drawNumber'] ?? '') ? conflict({}) : body),
      revealDraw: ({ params: { drawNumber = '' } }) => {
        if (Number(drawNumber) < last) return conflict(revealed.size === 0 ? { drawNumber: last } : {})
        revealed.add(drawNumber)
        if (isOffline) throw new TypeError('Failed to fetch')
        return drawing(aCard('drawn')).revealDraw()
      },
      revealRandomCard: () => aCard('another'),
    })
    const key = `lost ${last}`

    await expect(revealCard('w1', key)).rejects.toMatchObject({ kind: 'NETWORK_ERROR' })
    isOffline = false
    expect((await revealCard('w1', key)).id).toBe('drawn')

    expect(names(api)).not.toContain('revealRandomCard')
  })

  test('a device whose hash came too late keeps its bytes and draws in one step', async () => {
    const api = fakeApi({
      ...drawing(aCard('drawn')),
      closeSeedHashes: () => conflict({}),
      revealRandomCard: () => aCard('other'),
    })

    expect((await revealCard('w2', 'key')).id).toBe('other')
    expect(names(api)).toEqual(['prepareDraw', 'closeSeedHashes', 'revealRandomCard'])
  })

  test.each<[string, FakeAnswers]>([
    ['does not know draws', { prepareDraw: () => new Refusal(404, 'NOT_FOUND', 'Resource not found') }],
    ['says that the draw is over', { ...drawing(aCard('x')), revealDraw: () => conflict({}) }],
  ])('a reveal is done in one step if the server %s', async (_what, answers) => {
    const api = fakeApi({ ...answers, revealRandomCard: () => aCard('drawn') })

    expect((await revealCard('w1', 'key')).id).toBe('drawn')
    expect(names(api).at(-1)).toBe('revealRandomCard')
  })
})

describe('the odds', () => {
  const odds: DrawOdds = {
    rule: 'waiting',
    rest: 3,
    eligible: 12,
    resting: 1,
    isBand: false,
    people: [
      { username: 'Ana', weight: 3, chance: 0.75 },
      { username: 'Ben', weight: 1, chance: 0.25 },
    ],
  }

  test('the odds show the chance of each person and the number of cards in the draw', async () => {
    fakeApi({ getDrawOdds: () => odds, watchlistEvents: () => aLiveStream().response })

    await renderPart(<OddsPanel watchlistId="w1" isOwner={false} />)

    const people = await screen.findByRole('list')
    expect(
      within(people)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Ana75%', 'Ben25%'])
    expect(screen.getByText('12 cards are in this draw. 1 card sits it out.')).toBeTruthy()
    expect(screen.queryByRole('radio')).toBeNull()
  })

  test('an import that fills most of the box links to the draw rules', async () => {
    fakeApi({ getDrawOdds: () => ({ ...odds, rule: 'cards', people: [] }) })

    await renderPart(<ImportOdds watchlistId="w1" added={7} />)

    const link = await screen.findByRole('link', { name: 'Draw rule and chances' })
    expect(link.getAttribute('href')).toBe('/watchlists/w1/settings')
    expect(screen.getByText(/^Most cards in the box are now yours/u)).toBeTruthy()
  })

  test.each([
    ['cards', 6],
    ['people', 7],
  ] as const)('an import does not mention the rule %s if it added %i of 13 cards', async (rule, added) => {
    const api = fakeApi({ getDrawOdds: () => ({ ...odds, rule, people: [] }) })

    await renderPart(<ImportOdds watchlistId="w1" added={added} />)
    await expect.poll(() => api.callsOf('getDrawOdds')).toHaveLength(1)

    expect(screen.queryByRole('link')).toBeNull()
  })

  test('a change of the odds by the owner is saved at once', async () => {
    const api = fakeApi({
      getDrawOdds: () => odds,
      setDrawRule: ({ body }) => ({ ...odds, ...(body as object), people: [] }),
      watchlistEvents: () => aLiveStream().response,
    })
    await renderPart(<OddsPanel watchlistId="w1" isOwner />)

    await userEvent.click(await screen.findByRole('radio', { name: 'Equal chance per card' }))
    await waitFor(() => expect(screen.queryByRole('listitem')).toBeNull())
    await userEvent.click(screen.getByRole('radio', { name: 'no draws' }))

    await waitFor(() =>
      expect(api.callsOf('setDrawRule').map(({ request }) => request.body)).toEqual([
        { rule: 'cards', rest: 3 },
        { rule: 'cards', rest: 0 },
      ]),
    )
  })
})

test('the log shows the result of each draw, or why it has none', async () => {
  const { table: _table, seeds: _seeds, picked: _picked, watchlistId: _id, ...facts } = aReceipt('a')
  const line = (drawNumber: number, changes: object) => ({ ...facts, drawNumber, seedCount: 1, cards: [], ...changes })
  fakeApi({
    listDraws: () => ({
      draws: [
        line(4, { eligible: 0, filter: { watchable: true } }),
        line(3, { status: 'abandoned', revealedAt: null }),
        line(2, { cards: [{ cardId: 'a', title: 'Stalker' }] }),
        line(1, { cards: [{ cardId: 'b', title: null }] }),
      ],
      nextToken: null,
    }),
    watchlistEvents: () => aLiveStream().response,
  })

  await renderPart(<DrawLog watchlistId="w1" />)

  const links = await screen.findAllByRole('link')
  expect(links.map((link) => [link.getAttribute('href'), link.children[0]?.children[1]?.textContent])).toEqual([
    ['/watchlists/w1/draws/4', 'No movie could be watched'],
    ['/watchlists/w1/draws/3', 'Abandoned'],
    ['/watchlists/w1/draws/2', 'Stalker'],
    ['/watchlists/w1/draws/1', 'A card that is no longer in the feed'],
  ])
})

describe('a receipt', () => {
  /** The test vector of a shortlist, as the receipt of a server. */
  function checkable(): DrawReceipt {
    const [vector] = structuredClone(DRAW_VECTORS.cases)
    if (vector === undefined) throw new Error('There is a test vector')
    const { table, commitment, hashes, seeds, picked } = vector
    const rule = table.rule as DrawRule
    const eligible = table.people[0]?.tickets.length ?? 0
    const { watchlistId, drawNumber, picks } = table
    return aReceipt('', {
      watchlistId,
      drawNumber,
      rule,
      picks,
      eligible,
      commitment,
      hashes,
      seeds,
      table: { ...table, rule },
      picked: picked.map((pick) => ({ ...pick, odds: 1 / eligible })),
    })
  }

  async function open(receipt: DrawReceipt) {
    vi.stubGlobal('isSecureContext', true)
    fakeApi({
      getDraw: () => receipt,
      getCard: ({ params }) => aCard(params['cardId'] ?? ''),
      watchlistEvents: () => aLiveStream().response,
    })
    await renderPart(<DrawDetails watchlistId="w1" drawNumber={1} />)
    await screen.findByText('Drawn')
  }
  const check = async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Check this draw' }))
    const steps = within(await screen.findByRole('list')).getAllByRole('listitem')
    return steps.map(({ textContent }) => textContent.split(' ', 1)[0])
  }

  test('a valid receipt passes every step', async () => {
    await open(checkable())

    expect(await check()).toEqual(Array.from({ length: 7 }, () => 'Passed:'))
    expect(screen.getByText('This draw checks out.')).toBeTruthy()
  })

  test('a receipt without hashes passes and is marked as an older kind', async () => {
    await open({ ...checkable(), hashes: null })

    expect(await check()).toHaveLength(6)
    expect(screen.getByText(/^An older kind of receipt/u)).toBeTruthy()
  })

  test('the receipt of a replaced draw names the absent devices', async () => {
    await open(aReceipt('', { status: 'replaced', picked: [], absent: [{ name: 'Ben', hash: 'f'.repeat(64) }] }))

    const text = 'Ben did not send the promised random number, so the draw was prepared again.'
    expect(screen.getByText(text)).toBeTruthy()
  })

  test('a receipt with a wrong seed fails, and the failed steps are marked', async () => {
    await open({ ...checkable(), seeds: ['0'.repeat(64)] })

    expect(await check()).toEqual(['Passed:', 'Passed:', 'Passed:', 'Failed:', 'Failed:', 'Passed:', 'Passed:'])
    expect(screen.getByText('This draw does not check out.')).toBeTruthy()
  })

  test.each<[string, Partial<DrawReceipt>, string]>([
    ['in one step', {}, 'No member added a random number, so this draw cannot be checked.'],
    ['of a large box', { eligible: 2_001 }, 'More than 2,000 cards were in the draw, so it cannot be checked.'],
    ['that is prepared', { status: 'prepared' }, 'This draw can be checked once it is revealed.'],
    ['that was replaced', { status: 'replaced' }, 'This draw ended without a result.'],
  ])('the receipt of a draw %s explains why it cannot be checked', async (_what, changes, text) => {
    await open(aReceipt('a', changes))

    expect(screen.getByText(text)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Check this draw' })).toBeNull()
  })
})
