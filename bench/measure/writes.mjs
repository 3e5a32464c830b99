import { ownerOf, watchlistIds } from '../setup/rows.mjs'
import { FIRST_PLAIN } from '../setup/sizes.mjs'
import { request } from '../load/request.mjs'
import { inTurns, median, medianRatio } from './rounds.mjs'
import { atLeast, rate, report } from './report.mjs'

const LISTS = 90
const CARD = {
  title: 'The Third Man',
  description: 'Vienna after the war.',
  image: 'https://posters.example.org/3.jpg',
}
const COMMENT = { content: 'Tonight at eight, and bring the blanket.' }

/** Cards and comments per second of the server, compared with the bare insert of a comment by the floor. */
export async function measureWrites(name, context, limits) {
  const { program, floor, load, rounds, seconds } = context
  const places = await somePlaces(context)
  const headersOf = ({ userId }) => ({ 'X-User': userId })
  const bare = places.map((place) =>
    request({ method: 'POST', path: `/${place.id}/${place.cardId}`, headers: headersOf(place), body: COMMENT }),
  )
  const cards = places.map(({ path, token }) => request({ method: 'POST', path, token, body: CARD }))
  const comments = places.map(({ path, cardId, token }) =>
    request({ method: 'POST', path: `${path}/${cardId}/comments`, token, body: COMMENT }),
  )
  for (const connections of [1, 16]) {
    const run = async (port, requests, status) =>
      (await load.run({ name, port, requests, connections, status, seconds })).perSecond
    const { floors, comment, card } = await inTurns(rounds, {
      floors: () => run(floor.port, bare, 200),
      comment: () => run(program.port, comments, 201),
      card: () => run(program.port, cards, 201),
    })
    const share = medianRatio(comment, floors)
    const where = `${name}, ${connections} connections`
    const limit = limits[connections]
    report(
      `comments, ${where}`,
      `${rate(median(comment))}, bare insert ${rate(median(floors))}, ${share.toFixed(2)} of it`,
      limit === undefined ? {} : atLeast(share, limit),
    )
    report(`cards, ${where}`, rate(median(card)))
  }
}

/** A card in the feed of each of some watchlists, with a member who may write there. */
async function somePlaces({ program, sizes, people, tokens }) {
  const lists = watchlistIds(sizes).slice(FIRST_PLAIN, FIRST_PLAIN + LISTS)
  return await Promise.all(
    lists.map(async (id, index) => {
      const { userId } = ownerOf(people, index + FIRST_PLAIN)
      const token = tokens.get(userId)
      const path = `/api/watchlists/${id}/cards`
      const reply = await fetch(`${program.url}${path}?limit=1`, { headers: { authorization: `Bearer ${token}` } })
      const { cards } = await reply.json()
      return { id, path, cardId: cards[0].id, userId, token }
    }),
  )
}
