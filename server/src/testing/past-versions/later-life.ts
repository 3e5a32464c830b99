import type { ServerProcess } from '../server-process.ts'
import { doerOf, type Do } from './client.ts'
import { type Lived, type People, until } from './life.ts'

const SEEDS = ['5e', '6f', '70'].map((pair) => pair.repeat(32))
const FILMS = 'Title,Year,WatchedDate,Rating10\nParis Texas,1984,2026-03-01,8\nPersona,1966,,\n'

/** What members can do since there are draws, movie nights and news. */
export async function liveLater(server: ServerProcess, people: People, lived: Lived): Promise<Lived> {
  const { ana, ben } = people
  const list = `/watchlists/${lived.watchlistId}`
  const [first = ''] = lived.cardIds
  await ana('PUT', `${list}/cards/${first}/viewing`, { seenOn: '2026-11-01', stars: 4, note: 'On a big screen' })
  await ben('PUT', `${list}/cards/${first}/viewing`, { stars: 2 })
  await ben('POST', `${list}/wants`, { title: 'Alien' })
  await ana('PUT', `${list}/draw-rule`, { rule: 'people', rest: 1 })
  await ana('POST', `${list}/webhooks`, {
    name: 'Chat',
    url: 'https://93.184.216.34/marquee',
    format: 'standard',
    kinds: ['member.joined'],
  })
  const drawNumber = await draw(ana, list)
  const nightIds = await spendNights(server, people, list)
  const importId = await bringFilms(ben, list)
  await ana('POST', `${list}/join-links`, { days: 30, maxUses: 5 })
  await ana('PUT', '/profile/language', { language: 'de' })
  await ben('PUT', '/notifications/settings', { watchlist: { watchlistId: lived.watchlistId, isMuted: true } })
  const token = await ben<{ token: string }>('POST', '/account/tokens', {
    name: 'Script',
    scope: 'read',
    days: 365,
  })
  const unread = async (who: Do) => (await who<{ unread: number }>('GET', '/notifications/unread')).unread
  await until(
    async () => await unread(ben),
    (count) => count > 0,
  )
  return {
    ...lived,
    nightIds,
    drawNumbers: [drawNumber],
    importId,
    personalToken: token.token,
  }
}

async function draw(who: Do, list: string): Promise<number> {
  const { drawNumber } = await who<{ drawNumber: number }>('POST', `${list}/draws`, { picks: 1 })
  const revealed = await who<{ cards: { id: string }[] }>('POST', `${list}/draws/${drawNumber}/reveal`, {
    seeds: SEEDS.slice(0, 2),
  })
  await who('PUT', `${list}/cards/${revealed.cards[0]?.id}/status`, { status: 'WATCHED' })
  return drawNumber
}

/** One night with a guest, a vote and an accepted film, and one that is planned. */
async function spendNights(server: ServerProcess, { ana, ben }: People, list: string): Promise<string[]> {
  const { id } = await ana('POST', `${list}/nights/open`)
  const night = `/nights/${id}`
  await ana('PUT', `${night}/presence`)
  await ben('PUT', `${night}/presence`)
  const { joinCode: code } = await ana<{ joinCode: string }>('PUT', `${night}/code`)
  const pass = await doerOf(server)<{ token: string }>('POST', '/nights/join', { code, nickname: 'Gina' })
  const gina = doerOf(server, pass.token)
  const { drawNumber } = await ana<{ drawNumber: number }>('POST', `${list}/draws`, { picks: 3, nightId: id })
  await gina('PUT', `${night}/seed`, { seed: SEEDS[2], drawNumber })
  const { vote } = await ana<{ vote: { cards: { cardId: string }[] } }>('POST', `${night}/vote`, {
    drawNumber,
    seeds: SEEDS.slice(0, 1),
  })
  for (const who of [ana, ben, gina]) {
    const scores = Object.fromEntries(vote.cards.map(({ cardId }, n) => [cardId, n === 0 ? 2 : 1]))
    await who('PUT', `${night}/vote/ballot`, { scores, veto: null, drawNumber })
  }
  const closed = await ana<{ vote: { winner: string } }>('POST', `${night}/vote/close`, { drawNumber })
  await ana('PUT', `${list}/cards/${closed.vote.winner}/status`, { status: 'WATCHED' })
  await ana('POST', `${night}/end`)
  const planned = await ben('POST', `${list}/nights`, {
    times: ['2099-01-01T20:00', '2099-01-02T20:00'],
    timeZone: 'Europe/Berlin',
    note: 'At my place',
  })
  await ana('PUT', `/nights/${planned.id}/answer`, { startsAt: '2099-01-01T19:00:00.000Z', answer: 'in' })
  return [id, planned.id]
}

async function bringFilms(who: Do, list: string): Promise<string> {
  const { id } = await who('POST', `${list}/imports`, {
    fileName: 'films.csv',
    fileData: Buffer.from(FILMS).toString('base64'),
  })
  await who('POST', `${list}/imports/${id}/apply`)
  const state = async () => (await who<{ state: string }>('GET', `${list}/imports/${id}`)).state
  await until(state, (now) => now !== 'applying' && now !== 'review')
  return id
}
