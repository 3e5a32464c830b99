import { performance } from 'node:perf_hooks'

import { DRAW_RULES } from '../../contract/src/entities/draw.ts'
import { membersOf, watchlistIds } from '../setup/rows.mjs'
import { PLACES, TABLE_BOX } from '../setup/sizes.mjs'
import { processorMs } from './processor.mjs'
import { atMost, ms, report } from './report.mjs'
import { inTurns, median } from './rounds.mjs'
import { ask } from './sizes-apart.mjs'
import { openStreams } from './streams.mjs'

const WARM = 20
const SCREENS = 5
const VOTES = 30
const WINNERS = 10
const SEED = '5e'.repeat(32)

/**
 * A draw from the largest box that has a table, with each rule, the time until a vote has reached five screens, and the time
 * until five screens have a winner.
 */
export async function measureNights(name, { program, sizes, people, tokens, samples }) {
  const list = `/watchlists/${watchlistIds(sizes)[PLACES.tableBox]}`
  const [owner, member] = membersOf(people, PLACES.tableBox).map(({ userId }) => tokens.get(userId))
  const callAs = (token) => async (method, path, body) => await ask(program, `/api${path}`, { token, method, body })
  const place = { name, program, list, token: owner, asOwner: callAs(owner), asMember: callAs(member) }
  await measureTableDraws(place, Math.ceil(samples / 4))
  await measureVotes(place)
  await measureWinners(place)
}

async function measureTableDraws({ name, program, list, asOwner }, count) {
  const setRule = async (rule) => await asOwner('PUT', `${list}/draw-rule`, { rule, rest: 0 })
  const draw = async (rule) => {
    // A draw may not show more of the box than the rule of its watchlist.
    await setRule(rule)
    const computed = processorMs(program.pid)
    const begin = performance.now()
    const { drawNumber } = await asOwner('POST', `${list}/draws`, { rule })
    const prepared = performance.now()
    const { cards } = await asOwner('POST', `${list}/draws/${drawNumber}/reveal`, { seeds: [SEED] })
    const times = { prepare: prepared - begin, reveal: performance.now() - prepared }
    times.compute = processorMs(program.pid) - computed
    await asOwner('PUT', `${list}/cards/${cards[0].id}/status`, { status: 'SUGGESTED' })
    return times
  }
  const draws = Object.fromEntries(DRAW_RULES.map((rule) => [rule, async () => await draw(rule)]))
  await inTurns(WARM, draws)
  for (const [rule, times] of Object.entries(await inTurns(count, draws))) {
    const [prepare, reveal, compute] = ['prepare', 'reveal', 'compute'].map((step) =>
      median(times.map((each) => each[step])),
    )
    report(
      `draw from ${TABLE_BOX.toLocaleString('en')} cards with a table, rule ${rule}, ${name}`,
      `${ms(prepare + reveal)}: prepare ${ms(prepare)}, reveal ${ms(reveal)}; CPU time ${ms(compute)}`,
      atMost(prepare + reveal, 50, ' ms'),
    )
  }
  await setRule(DRAW_RULES[0])
}

/** One member changes their vote. The owner is present and does not vote, so the vote stays open. */
async function measureVotes({ name, program, list, token, asOwner, asMember }) {
  const { id: nightId } = await asOwner('POST', `${list}/nights/open`)
  const night = `/nights/${nightId}`
  await asMember('PUT', `${night}/presence`)
  const { drawNumber } = await asOwner('POST', `${list}/draws`, { picks: 3, nightId })
  const { vote } = await asOwner('POST', `${night}/vote`, { drawNumber, seeds: [SEED] })
  const listening = { path: `/api${list}/events`, tokens: [token], count: SCREENS, kind: 'nights-changed' }
  const streams = await openStreams(program, listening)
  try {
    const times = []
    for (let n = 0; n < VOTES; n += 1) {
      const heard = streams.nextEvent()
      const begin = performance.timeOrigin + performance.now()
      const scores = Object.fromEntries(vote.cards.map(({ cardId }) => [cardId, n % 3]))
      await asMember('PUT', `${night}/vote/ballot`, { drawNumber, scores, veto: null })
      times.push((await heard) - begin)
    }
    const slowest = Math.max(...times)
    report(
      `time until a vote has reached ${SCREENS} streams, ${name}`,
      `${ms(median(times))}, at most ${ms(slowest)}`,
      atMost(slowest, 200, ' ms'),
    )
  } finally {
    await streams.close()
    await asOwner('POST', `${night}/end`)
  }
}

/** Two people vote. After the event of the last vote, each of five screens reads the night, which has the winner then. */
async function measureWinners({ name, program, list, token, asOwner, asMember }) {
  const { id: nightId } = await asOwner('POST', `${list}/nights/open`)
  const night = `/nights/${nightId}`
  await asMember('PUT', `${night}/presence`)
  const listening = { path: `/api${list}/events`, tokens: [token], count: SCREENS, kind: 'nights-changed' }
  const streams = await openStreams(program, listening)
  const heard = async (act) => {
    const event = streams.nextEvent()
    const result = await act()
    await event
    return result
  }
  try {
    const times = []
    for (let n = 0; n < WINNERS; n += 1) {
      const { drawNumber } = await heard(async () => await asOwner('POST', `${list}/draws`, { picks: 3, nightId }))
      const { vote } = await heard(async () => await asOwner('POST', `${night}/vote`, { drawNumber, seeds: [SEED] }))
      const scores = Object.fromEntries(vote.cards.map(({ cardId }) => [cardId, 1]))
      const ballot = { drawNumber, scores, veto: null }
      await heard(async () => await asOwner('PUT', `${night}/vote/ballot`, ballot))
      const begin = performance.now()
      await heard(async () => await asMember('PUT', `${night}/vote/ballot`, ballot))
      const screens = await Promise.all(
        Array.from({ length: SCREENS }, async () => await asOwner('GET', `${night}/screen`)),
      )
      times.push(performance.now() - begin)
      const winners = new Set(screens.map((screen) => screen.vote.winner))
      const [winner] = winners
      if (winner === null || winners.size > 1) throw new Error('A screen has no winner, or another one')
      await asOwner('PUT', `${list}/cards/${winner}/status`, { status: 'SUGGESTED' })
    }
    const slowest = Math.max(...times)
    report(
      `time until ${SCREENS} screens have the winner of a vote, ${name}`,
      `${ms(median(times))}, at most ${ms(slowest)}`,
      atMost(slowest, 1000, ' ms'),
    )
  } finally {
    await streams.close()
    await asOwner('POST', `${night}/end`)
  }
}
