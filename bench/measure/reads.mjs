import assert from 'node:assert/strict'

import { ownerOf, watchlistIds } from '../setup/rows.mjs'
import { FIRST_PLAIN, PAGE } from '../setup/sizes.mjs'
import { request } from '../load/request.mjs'
import { processorMs } from './processor.mjs'
import { inTurns, median, medianRatio } from './rounds.mjs'
import { atLeast, atMost, ms, rate, report } from './report.mjs'

const CONNECTIONS = [1, 16]

/** Requests for the first page of every plain watchlist by its owner, in random order. */
function mainReads({ sizes, people, tokens }) {
  const lists = watchlistIds(sizes).slice(FIRST_PLAIN)
  const stride = 389
  return lists.map((_, n) => {
    const index = (n * stride) % lists.length
    const [id, { userId }] = [lists[index], ownerOf(people, index + FIRST_PLAIN)]
    return { path: `/api/watchlists/${id}/cards?limit=${PAGE}`, bare: `/${id}`, userId, token: tokens.get(userId) }
  })
}

/** Compares the main read, a page of the feed, of the server with that of the floor on the same database. */
export async function measureReads(name, { program, floor, load, sizes, people, tokens, rounds, seconds }) {
  const reads = mainReads({ sizes, people, tokens })
  await compareReplies(program, floor, reads)
  const whole = reads.map(({ path, token }) => request({ path, token }))
  const bare = reads.map(({ bare: path, userId }) => request({ path, headers: { 'X-User': userId } }))
  const same = await Promise.all(reads.map(async (read) => await revalidation(program, read)))
  const run = async ({ port, pid }, requests, connections, status = 200) => {
    const before = processorMs(pid)
    const result = await load.run({ name, port, requests, connections, status, seconds })
    return { ...result, cost: ((processorMs(pid) - before) * 1000) / result.count }
  }
  await run(program, whole, 16)
  await run(floor, bare, 16)
  for (const connections of CONNECTIONS) {
    const { a, b, c } = await inTurns(rounds, {
      a: () => run(program, whole, connections),
      b: () => run(floor, bare, connections),
      c: () => run(program, same, connections, 304),
    })
    const [mine, bottom, unchanged] = [a, b, c].map((results) => results.map(({ perSecond }) => perSecond))
    const [slow, bottomSlow] = [a, b].map((results) => results.map(({ p99 }) => p99))
    const where = `${name}, ${connections} connections`
    const share = medianRatio(mine, bottom)
    report(
      `main read, ${where}`,
      `${rate(median(mine))}, floor ${rate(median(bottom))}, ${share.toFixed(2)} of the floor`,
      atLeast(share, 0.8),
    )
    const [cost, bottomCost, unchangedCost] = [a, b, c].map((results) => median(results.map((result) => result.cost)))
    report(
      `main read, CPU time, ${where}`,
      `${cost.toFixed(0)} µs, floor ${bottomCost.toFixed(0)} µs, ${(cost / bottomCost).toFixed(2)} times the floor`,
    )
    const tail = medianRatio(slow, bottomSlow)
    report(
      `main read, 99th percentile, ${where}`,
      `${ms(median(slow))}, floor ${ms(median(bottomSlow))}, ${tail.toFixed(2)} times the floor`,
      atMost(tail, 2),
    )
    const gain = medianRatio(unchanged, mine)
    report(
      `unchanged page (If-None-Match), ${where}`,
      `${rate(median(unchanged))}, ${gain.toFixed(1)} times as many as changed pages`,
      atLeast(gain, 4),
    )
    report(
      `unchanged page, CPU time, ${where}`,
      `${unchangedCost.toFixed(0)} µs, ${(unchangedCost / cost).toFixed(2)} of the main read`,
      atMost(unchangedCost / cost, 0.2),
    )
  }
}

/** Fails unless server and floor return the same page. */
async function compareReplies(program, floor, reads) {
  for (const read of reads.slice(0, 10)) {
    const headers = { authorization: `Bearer ${read.token}` }
    const mine = await (await fetch(`${program.url}${read.path}`, { headers })).json()
    const bare = await fetch(`http://127.0.0.1:${floor.port}${read.bare}`, { headers: { 'x-user': read.userId } })
    assert.deepEqual(mine, await bare.json())
    assert.equal(mine.cards.length, PAGE)
  }
}

async function revalidation(program, { path, token }) {
  const reply = await fetch(`${program.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  await reply.arrayBuffer()
  return request({ path, token, headers: { 'If-None-Match': reply.headers.get('etag') } })
}
