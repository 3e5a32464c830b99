// Measures one busy watchlist on SQLite and PostgreSQL: comments, cards into the box and ballots of sixteen connections, and a
// television with thirty phones. `--compare FOLDER` measures the server of another checkout alternately, with its own data;
// its packages must be installed. `--quick` takes less time; `--sqlite` and `--postgres` measure one database.
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

import { loadMaker } from './load/maker.mjs'
import { request } from './load/request.mjs'
import { processorMs } from './measure/processor.mjs'
import { ms, rate, report } from './measure/report.mjs'
import { inTurns, median, medianRatio } from './measure/rounds.mjs'
import { ask } from './measure/sizes-apart.mjs'
import { openStreams } from './measure/streams.mjs'
import { signInPeople, signUpPeople } from './setup/people.mjs'
import { onNewData } from './setup/prepare.mjs'
import { startProgram } from './setup/program.mjs'

const isQuick = process.argv.includes('--quick')
const effort = isQuick ? { rounds: 3, seconds: 1, ballots: 10 } : { rounds: 7, seconds: 3, ballots: 30 }
const other = process.argv.includes('--compare')
  ? resolve(process.argv[process.argv.indexOf('--compare') + 1])
  : undefined

const CONNECTIONS = 16
const PHONES = 30
const SEED = '5e'.repeat(32)
const CARD = {
  title: 'The Third Man',
  description: 'Vienna after the war.',
  image: 'https://posters.example.org/3.jpg',
}
const COMMENT = { content: 'Tonight at eight, and bring the blanket.' }

const load = loadMaker()
try {
  await onNewData(measure)
} finally {
  await load.stop()
}

async function measure(database, settingsOf) {
  const now = await start(await settingsOf('now'))
  const before = other && (await start(await settingsOf('before'), other))
  try {
    await measureWrites(database, { now, ...(before && { before }) })
    await measureNight(database, now)
  } finally {
    await now.program.stop()
    await before?.program.stop()
  }
}

/** A server with a watchlist of two members, and a card in its feed. */
async function start(settings, checkout) {
  const program = await (checkout ? startOther(checkout, settings) : startProgram(settings))
  const people = await signUpPeople(program.url, settings.DATA_DIR, 2)
  const tokens = await signInPeople(program.url, people)
  const [owner, member] = people.map(({ userId }) => tokens.get(userId))
  const asOwner = async (method, path, body) => await ask(program, `/api${path}`, { token: owner, method, body })
  const asMember = async (method, path, body) => await ask(program, `/api${path}`, { token: member, method, body })
  const { id } = await asOwner('POST', '/watchlists', { name: 'Friday films' })
  await asOwner('POST', `/watchlists/${id}/invitations`, { username: people[1].username })
  await asMember('POST', `/invitations/${id}/acceptance`)
  const list = `/watchlists/${id}`
  const { id: cardId } = await asOwner('POST', `${list}/cards`, { ...CARD, revealImmediately: true })
  return { program, list, cardId, owner, asOwner, asMember }
}

async function startOther(checkout, settings) {
  const { SERVER } = await import(pathToFileURL(join(checkout, 'tools/run/server-process.mjs')).href).catch(
    async () => await import(pathToFileURL(join(checkout, 'tools/run/start.mjs')).href),
  )
  return await startProgram(settings, [process.execPath, ...SERVER], checkout)
}

/** Comments and cards per second, and the CPU time of the server for one. */
async function measureWrites(database, servers) {
  const requestsOf = {
    comments: ({ list, cardId, owner }) =>
      request({ method: 'POST', path: `/api${list}/cards/${cardId}/comments`, token: owner, body: COMMENT }),
    'cards into the box': ({ list, owner }) =>
      request({ method: 'POST', path: `/api${list}/cards`, token: owner, body: CARD }),
  }
  for (const [what, requestOf] of Object.entries(requestsOf)) {
    const acts = Object.fromEntries(
      Object.entries(servers).map(([name, server]) => [name, async () => await writes(server, requestOf(server), 201)]),
    )
    for (const act of Object.values(acts)) await act()
    const results = await inTurns(effort.rounds, acts)
    for (const [name, series] of Object.entries(results)) {
      report(`${what} of one busy watchlist, ${name}, ${database}`, figuresOf(series))
    }
    if ('before' in results) {
      const [speed, cost] = [perSecond, cpu].map((of) => medianRatio(of(results.now), of(results.before)).toFixed(2))
      report(
        `${what} of one busy watchlist, now of before, ${database}`,
        `${speed} of the speed, ${cost} of the CPU time`,
      )
    }
  }
}

function figuresOf(series) {
  return `${rate(median(perSecond(series)))}, CPU time ${Math.round(median(cpu(series)))} µs each`
}

function perSecond(series) {
  return series.map((each) => each.perSecond)
}

function cpu(series) {
  return series.map((each) => each.cpu)
}

async function writes({ program }, text, status) {
  const before = processorMs(program.pid)
  const { perSecond: done, count } = await load.run({
    port: program.port,
    requests: [text].flat(),
    connections: CONNECTIONS,
    status,
    seconds: effort.seconds,
  })
  return { perSecond: done, cpu: ((processorMs(program.pid) - before) * 1000) / count }
}

/** Ballots per second, and the time from a ballot until a television and thirty phones have read what it changed. */
async function measureNight(database, server) {
  const { program, list, owner, asOwner } = server
  const { id: nightId } = await asOwner('POST', `${list}/nights/open`)
  const night = `/nights/${nightId}`
  const guests = []
  for (let n = 0; n < PHONES; n += 1) {
    guests.push((await asOwner('POST', `${night}/guests`, { nickname: `Guest ${n}` })).token)
  }
  const { drawNumber } = await asOwner('POST', `${list}/draws`, { picks: 3, nightId })
  const { vote } = await asOwner('POST', `${night}/vote`, { drawNumber, seeds: [SEED] })
  const ballot = { drawNumber, scores: Object.fromEntries(vote.cards.map(({ cardId }) => [cardId, 1])), veto: null }
  // The owner does not vote, so the vote stays open.
  const ballots = guests.map((token) =>
    request({ method: 'PUT', path: `/api${night}/vote/ballot`, token, body: ballot }),
  )
  const results = await inTurns(effort.rounds, { now: async () => await writes(server, ballots, 200) })
  report(`ballots of one busy watchlist, ${database}`, figuresOf(results.now))
  const reads = [
    request({ path: `/api${night}/screen`, token: owner }),
    ...guests.map((token) => request({ path: `/api${night}/vote`, token })),
  ]
  const listening = { path: `/api${list}/events`, tokens: [owner], count: PHONES, kind: 'nights-changed' }
  const streams = await openStreams(program, listening)
  try {
    const times = []
    for (let n = 0; n < effort.ballots; n += 1) {
      const heard = streams.nextEvent()
      const begin = performance.now()
      await ask(program, `/api${night}/vote/ballot`, { token: guests[n % PHONES], method: 'PUT', body: ballot })
      await heard
      await load.run({ port: program.port, requests: reads, connections: reads.length, status: 200, seconds: 0 })
      times.push(performance.now() - begin)
    }
    report(
      `time until a television and ${PHONES} phones have read a ballot, ${database}`,
      `${ms(median(times))}, at most ${ms(Math.max(...times))}`,
    )
  } finally {
    await streams.close()
  }
}
