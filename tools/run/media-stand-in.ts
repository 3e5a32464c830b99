import process from 'node:process'
import { createInterface } from 'node:readline'

import { REAL_FILMS } from '../../server/src/testing/media/library.ts'
import { sentBy } from '../../server/src/testing/media/reports.ts'
import { startAtUsualPort, startSeerrAtUsualPort } from '../../server/src/testing/media/usual-port.ts'

/**
 * Starts stand-ins for Jellyfin, Emby and Plex with real films, and for Seerr, for journeys and for work without a media server. It prints
 * their addresses and keys, one per line. A server with `MEDIA_SERVERS=127.0.0.0/8` may connect to them. Then it reads
 * commands, one per line, and answers each with a line. It ends on SIGTERM or SIGINT, and fails if a request was not as
 * described.
 */
const standIn = await startAtUsualPort('jellyfin')
const emby = await startAtUsualPort('emby')
const plex = await startAtUsualPort('plex')
const seerr = await startSeerrAtUsualPort()
for (const { kind, url, state } of [emby, plex]) {
  console.log(`${kind.toUpperCase()}_URL=${url}`)
  console.log(`${kind.toUpperCase()}_KEY=${state.key}`)
}
console.log(`SEERR_URL=${seerr.url}`)
console.log(`SEERR_KEY=${seerr.state.key}`)
console.log(`MEDIA_SERVER_URL=${standIn.url}`)
console.log(`MEDIA_SERVER_KEY=${standIn.state.key}`)

const end = (): void => {
  Promise.all([standIn, emby, plex, seerr].map(async (one) => await one.stop())).then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
}
process.on('SIGTERM', end)
process.on('SIGINT', end)

const { users, codes } = standIn.state

function userOf(name: string) {
  const user = users.find((one) => one.name === name)
  if (!user) throw new Error(`There is no user ${name}, only ${users.map((one) => one.name).join(' and ')}`)
  return user
}

const COMMANDS: Readonly<Record<string, (...words: string[]) => unknown>> = {
  /** All movies arrive that Seerr was asked for. */
  deliver: () => {
    for (const movie of seerr.state.movies.values()) movie.status = 5
    return 'All have arrived'
  },
  /** `enter 100000 Lea`: a user enters a code of Quick Connect. */
  enter: (code, name = '') => {
    const waiting = [...codes.values()].find((one) => one.code === code)
    if (!waiting) throw new Error(`There is no code ${code}`)
    waiting.userId = userOf(name).id
    return `${name} has entered it`
  },
  /** `play Lea http://… Alien`: a user plays a film to its end, which the server reports to this address. */
  play: async (name = '', address = '', ...title) => {
    const film = REAL_FILMS.find((one) => one.title === title.join(' '))
    if (!film) throw new Error(`There is no film ${title.join(' ')}`)
    const [body, type] = sentBy(standIn, { userId: userOf(name).id, film })
    const { status } = await fetch(address, { method: 'POST', headers: { 'content-type': type }, body })
    return `The report was answered ${status}`
  },
  /** `marks emby`: the films that a server, otherwise Jellyfin, was asked to mark for users, in order. */
  marks: (kind) => {
    const { state, itemIdOf } = [emby, plex].find((one) => one.kind === kind) ?? standIn
    const itemIds = REAL_FILMS.map(itemIdOf)
    return state.marked.map(({ userId, itemId, isSeen }) => {
      const name = state.users.find(({ id }) => id === userId)?.name
      return `${name}: ${REAL_FILMS[itemIds.indexOf(itemId)]?.title} is ${isSeen ? 'seen' : 'not seen'}`
    })
  },
}

for await (const line of createInterface(process.stdin)) {
  const [name = '', ...words] = line.split(' ')
  const command = COMMANDS[name]
  if (!command) throw new Error(`There is no command ${name}, only ${Object.keys(COMMANDS).join(', ')}`)
  console.log(JSON.stringify(await command(...words)))
}
