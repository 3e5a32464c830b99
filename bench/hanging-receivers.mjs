// How late webhook messages arrive while other receivers of the same owner accept messages and never answer: at a receiver of
// the same watchlist, and at one of another owner. On SQLite.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'

import { seedWith } from '../e2e/support/seed.ts'
import { SERVER } from '../tools/run/start.mjs'
import { atMost, ms, report } from './measure/report.mjs'
import { median } from './measure/rounds.mjs'
import { ask } from './measure/sizes-apart.mjs'
import { signInPeople, signUpPeople } from './setup/people.mjs'
import { startProgram } from './setup/program.mjs'

const HANGING = [0, 1, 4, 10]
/** So many hang in one watchlist; a watchlist has at most ten webhooks. */
const HANGING_TOGETHER = 9
const MESSAGES = 120
const EVERY_MS = 250
/** Messages arrive together, after a short wait. A receiver that hangs is given up after ten seconds. */
const MOST_MS = 1_000
const LAST_WITHIN_MS = 120_000
/** Public addresses, since no others are allowed. Nothing is sent to them. */
const addressOf = (name) => `http://44.0.0.${name}:8080/hook`
const [GOOD, OTHERS, FIRST_HANGING] = [1, 2, 100]

for (const hanging of HANGING) await measureBeside(hanging)

async function measureBeside(hanging) {
  const receivers = await startReceivers()
  const dataDir = await mkdtemp(join(tmpdir(), 'marquee-receivers-'))
  const command = [process.execPath, '--import', join(import.meta.dirname, 'setup/nearby-receivers.mjs'), ...SERVER]
  const program = await startProgram({ DATA_DIR: dataDir, RECEIVERS_PORT: String(receivers.port) }, command)
  try {
    const [own, others] = await signInPeople(program.url, await signUpPeople(program.url, dataDir, 2)).then(
      (tokens) => [...tokens.values()],
    )
    const first = Array.from({ length: Math.min(hanging, HANGING_TOGETHER) }, (_, n) => FIRST_HANGING + n)
    const rest = Array.from({ length: hanging - first.length }, (_, n) => FIRST_HANGING + HANGING_TOGETHER + n)
    const places = [
      await aPlace(program, own, [...first, GOOD]),
      await aPlace(program, others, [OTHERS]),
      ...(rest.length > 0 ? [await aPlace(program, own, rest)] : []),
    ]
    for (let n = 0; n < MESSAGES; n += 1) {
      await Promise.all(
        places.map(async ({ comment }) => {
          await comment(n)
          receivers.sent(n)
        }),
      )
      await pause(EVERY_MS)
    }
    const [good, other] = [await receivers.delays(GOOD), await receivers.delays(OTHERS)]
    reportDelays(hanging, 'beside them', good)
    reportDelays(hanging, 'of another owner', other)
  } finally {
    await program.stop()
    await receivers.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function reportDelays(hanging, whose, delays) {
  const worst = Math.max(...delays)
  report(
    `messages of a webhook ${whose}, ${hanging} receivers hang`,
    `median ${ms(median(delays))}, worst ${ms(worst)}`,
    atMost(median(delays), MOST_MS, ' ms'),
  )
}

/** A watchlist with a webhook for each receiver, and a card to comment on. */
async function aPlace(program, token, receivers) {
  const seed = seedWith(program.url, token)
  const { id } = await seed.watchlist('Friday film club')
  const card = await seed.card(id, { title: 'Alien', status: 'REVEALED' })
  for (const receiver of receivers) {
    await ask(program, `/api/watchlists/${id}/webhooks`, {
      token,
      method: 'POST',
      body: { name: `Receiver ${receiver}`, url: addressOf(receiver), format: 'standard', kinds: ['comment.added'] },
    })
  }
  return { comment: async (n) => await seed.comment(id, card.id, `Message ${n}.`) }
}

/** All receivers: the Host header tells which one is meant. `delays` are those of the messages since they were sent. */
async function startReceivers() {
  const sentAt = []
  const heardAt = new Map([GOOD, OTHERS].map((receiver) => [receiver, new Map()]))
  const server = createServer(async (request, response) => {
    const receiver = Number(/^44\.0\.0\.(\d+):/u.exec(request.headers.host)?.[1])
    let body = ''
    for await (const piece of request) body += piece
    const heard = heardAt.get(receiver)
    // It hangs.
    if (!heard) return
    const n = Number(/Message (\d+)\./u.exec(body)?.[1])
    if (!heard.has(n)) heard.set(n, performance.now())
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: server.address().port,
    sent: (n) => void (sentAt[n] ??= performance.now()),
    delays: async (receiver) => {
      const heard = heardAt.get(receiver)
      const until = performance.now() + LAST_WITHIN_MS
      while (heard.size < MESSAGES && performance.now() < until) await pause(100)
      if (heard.size < MESSAGES) throw new Error(`Only ${heard.size} of ${MESSAGES} messages arrived in time`)
      return [...heard].map(([n, at]) => Math.max(0, at - sentAt[n]))
    },
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
