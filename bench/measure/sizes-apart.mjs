import { performance } from 'node:perf_hooks'

import { LIBRARY_SORTS } from '../../contract/src/rules/library.ts'
import { ownerOf, watchlistIds } from '../setup/rows.mjs'
import { LONG_FEED, PAGE, PLACES } from '../setup/sizes.mjs'
import { inTurns, median, medianRatio } from './rounds.mjs'
import { atMost, ms, report } from './report.mjs'

const WARM = 30

/** Compares the same request on large and small data, one at a time and alternately. Both must cost the same. */
export async function measureSizesApart(name, { program, sizes, people, tokens, samples }) {
  const lists = watchlistIds(sizes)
  const at = (place, noun = 'cards') => {
    const token = tokens.get(ownerOf(people, place).userId)
    return (path, options) => ask(program, `/api/watchlists/${lists[place]}/${noun}${path}`, { token, ...options })
  }
  const compare = async (what, small, large) => {
    await inTurns(WARM, { small, large })
    const times = await inTurns(samples, { small, large })
    const ratio = medianRatio(times.large, times.small)
    const measured = `${ms(median(times.large))} and ${ms(median(times.small))}, ${ratio.toFixed(2)} times`
    report(`${what}, ${name}`, measured, atMost(ratio, 1.3))
  }

  await compare(
    `reveal in a box of ${sizes.bigBox.toLocaleString('en')} compared with a box of 10`,
    async () => await reveal(at(PLACES.smallBox)),
    async () => await reveal(at(PLACES.bigBox)),
  )
  await compare(
    `draw in two steps from a box of ${sizes.bigBox.toLocaleString('en')} compared with a box of 10`,
    async () => await draw(at(PLACES.smallBox, 'draws'), at(PLACES.smallBox)),
    async () => await draw(at(PLACES.bigBox, 'draws'), at(PLACES.bigBox)),
  )
  const feed = at(PLACES.longFeed)
  const deep = await tokenOfPage(feed, 1000)
  // Page 2 is comparable: it has a start token too, and no reply to either page can be a 304.
  const near = await tokenOfPage(feed, 2)
  await compare(
    'page 1,000 of a feed compared with page 1',
    async () => await timed(async () => await feed(`?limit=${PAGE}`)),
    async () => await timed(async () => await feed(`?limit=${PAGE}&nextToken=${deep}`)),
  )
  await compare(
    'page 1,000 of a feed compared with page 2',
    async () => await timed(async () => await feed(`?limit=${PAGE}&nextToken=${near}`)),
    async () => await timed(async () => await feed(`?limit=${PAGE}&nextToken=${deep}`)),
  )
  const talk = at(PLACES.talk)
  const { long, short } = await talkedAbout(talk)
  await compare(
    `a page of ${sizes.longTalk.toLocaleString('en')} comments compared with 10`,
    async () => await timed(async () => await talk(`/${short}/comments?limit=10`)),
    async () => await timed(async () => await talk(`/${long}/comments?limit=10`)),
  )
}

/**
 * Times a page of a library of 100,000 cards: in each order, for searches that find nothing, few and most, and by what the
 * caller has seen and rated.
 */
export async function measureLibrary(name, { program, sizes, people, tokens, samples }) {
  const list = watchlistIds(sizes)[PLACES.library]
  const token = tokens.get(ownerOf(people, PLACES.library).userId)
  const queries = {
    ...Object.fromEntries(LIBRARY_SORTS.map((sort) => [sort, { sort }])),
    'search that finds nothing': { q: 'no such title' },
    'search that finds 1 of 5,000': { q: 'zenith', sort: 'title' },
    'search that finds 1 of 250': { q: 'comet', sort: 'runtime' },
    'search that finds 1 of 250, by rating': { q: 'comet', sort: 'rating' },
    'search that finds most': { q: 'a' },
    'search with all filters': {
      q: 'comet sea',
      sort: 'year',
      status: 'WATCHED',
      genre: 'Drama',
      decade: 1980,
      maxRuntime: 120,
      seen: 'yes',
      suggestedBy: people[PLACES.library].username,
    },
    unseen: { seen: 'no' },
    'own rating': { ownRating: 5 },
    'average rating': { averageRating: 4.5 },
  }
  const requests = Object.fromEntries(
    Object.entries(queries).map(([what, query]) => [
      what,
      async () =>
        await timed(async () => {
          await ask(program, `/api/watchlists/${list}/library?${new URLSearchParams(query)}`, { token })
        }),
    ]),
  )
  await inTurns(WARM, requests)
  for (const [what, times] of Object.entries(await inTurns(samples, requests))) {
    const measured = median(times)
    const size = sizes.library.toLocaleString('en')
    report(
      `library of ${size}, ${LIBRARY_SORTS.includes(what) ? `by ${what}` : what}, ${name}`,
      ms(measured),
      atMost(measured, 20, ' ms'),
    )
  }
}

/** The time of a reveal. The card is put back, so that the box keeps its size. */
async function reveal(cards) {
  let card
  const time = await timed(async () => void (card = await cards('/reveal', { method: 'POST' })))
  await cards(`/${card.id}/status`, { method: 'PUT', body: { status: 'SUGGESTED' } })
  return time
}

/** The same for a draw in two steps. */
async function draw(draws, cards) {
  let drawn
  const time = await timed(async () => {
    const { drawNumber } = await draws('', { method: 'POST', body: {} })
    drawn = await draws(`/${drawNumber}/reveal`, { method: 'POST', body: { seeds: ['5e'.repeat(32)] } })
  })
  await cards(`/${drawn.cards[0].id}/status`, { method: 'PUT', body: { status: 'SUGGESTED' } })
  return time
}

async function tokenOfPage(feed, page) {
  let token
  for (let skipped = 0; skipped < (page - 1) * PAGE;) {
    const limit = Math.min(50, (page - 1) * PAGE - skipped)
    const { nextToken } = await feed(`?limit=${limit}${token ? `&nextToken=${token}` : ''}`)
    if (nextToken === null) throw new Error(`A feed of ${LONG_FEED} cards ended early`)
    token = nextToken
    skipped += limit
  }
  return token
}

/** The cards with the most comments and with ten. */
async function talkedAbout(cards) {
  const { cards: shown } = await cards('?limit=20')
  const counted = await Promise.all(
    shown.map(async ({ id }) => {
      const page = await cards(`/${id}/comments?limit=50`)
      return { id, count: page.comments.length, isMore: page.nextToken !== null }
    }),
  )
  return { long: counted.find(({ isMore }) => isMore).id, short: counted.find(({ count }) => count === 10).id }
}

async function timed(act) {
  const begin = performance.now()
  await act()
  return performance.now() - begin
}

export async function ask({ url }, path, { token, method = 'GET', body }) {
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return await reply.json()
}
