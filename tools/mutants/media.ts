import type { Mutant } from './mutant.ts'

const movies = 'server/src/rooms/movies'
const marks = `${movies}/media-links/marks.test.ts`
const reports = `${movies}/media-links/reports.test.ts`
const linking = `${movies}/media-links/linking.test.ts`
const servers = `${movies}/media-servers/media-servers.test.ts`
const requests = `${movies}/movie-requests/movie-requests.test.ts`
const watchable = 'server/src/rooms/draws/watchable.test.ts'
const keys = 'server/src/media-key-secrecy.test.ts'

/** Media servers: what they have, marks in both directions, requests for movies, and draws of what can be watched. */
export const MEDIA: readonly Mutant[] = [
  {
    name: 'the filter of the library misses movies without an id',
    file: `${movies}/media-servers/copies.ts`,
    before: 'readLists.some(({ hasTitles }) => hasTitles) ? keysOf : idKeysOf',
    after: 'readLists.every(({ hasTitles }) => hasTitles) ? keysOf : idKeysOf',
    tests: [servers],
  },
  {
    name: 'a mark that was sent is sent again',
    file: `${movies}/media-links/mark-store.ts`,
    before: '.set({ known, wanted: null, due_at: null, attempts: 0 })',
    after: '.set({ known, wanted: known, due_at: now, attempts: 0 })',
    tests: [marks],
  },
  {
    name: 'a mark that a server has reported is sent back to it',
    file: `${movies}/media-links/mark-store.ts`,
    before: 'known: 1, wanted: null, version: 0, played_at: playedAt, due_at: null,',
    after: 'known: null, wanted: 1, version: 0, played_at: playedAt, due_at: playedAt,',
    tests: [marks],
  },
  {
    name: 'an undone mark stays at the server',
    file: `${movies}/media-links/service.ts`,
    before: 'wantUnseen.send(trx, { ...viewer, now })',
    after: "wantUnseen.send(trx, { ...viewer, watchlistId: '', now })",
    tests: [marks],
  },
  {
    name: 'a word that comes while an earlier one is on its way is lost',
    file: `${movies}/media-links/mark-store.ts`,
    before: `.set({ known, wanted: null, due_at: null, attempts: 0 })
    .where('version', '=', mark.version)`,
    after: `.set({ known, wanted: null, due_at: null, attempts: 0 })
    .where('version', '>=', mark.version)`,
    tests: [marks],
  },
  {
    name: 'a repeated report marks a film again after its mark was undone',
    file: `${movies}/media-links/reports.ts`,
    before: 'if (isWithin(mark?.played_at ?? null, now.getTime(), report.lengthMs)) return false',
    after: 'if (isWithin(null, now.getTime(), mark?.played_at ?? report.lengthMs)) return false',
    tests: [reports],
  },
  {
    name: 'a link that waits for the owner has its reports taken',
    file: `${movies}/media-links/reports.ts`,
    before: "return state !== 'waiting' && plainId(remoteId) === userId",
    after: "return state !== 'ended' && plainId(remoteId) === userId",
    tests: [reports, linking],
  },
  {
    name: 'any secret is right in the address of reports',
    file: `${movies}/media-links/reports.ts`,
    before: 'return known !== undefined && timingSafeEqual(Buffer.from(hashOfSecret(secret)), Buffer.from(known))',
    after:
      'return known !== undefined && timingSafeEqual(Buffer.from(hashOfSecret(secret)), Buffer.from(hashOfSecret(secret)))',
    tests: [reports],
  },
  {
    name: 'a password goes to another server than the one that was connected',
    file: `${movies}/media-servers/asked.ts`,
    before: 'if (machineId !== row.machine_id) throw',
    after: "if (machineId === '') throw",
    tests: [linking],
  },
  {
    name: 'the list of another machine is read with the key of the one that was connected',
    file: `${movies}/media-servers/reading.ts`,
    before: '    await meetAgain(server.server, row, signal)\n',
    after: '',
    tests: [linking],
  },
  {
    name: 'links to a machine stay when a new key brings another one',
    file: `${movies}/media-servers/service.ts`,
    before: '  await ports.endLinksTo(trx, key)\n',
    after: '',
    tests: [linking],
  },
  {
    name: 'the address for members has the key of a media server',
    file: `${movies}/media-servers/service.ts`,
    before: 'const pageUrl = openUrl ?? ((await isPublic(ports, url)) ? url : null)',
    after: 'const pageUrl = openUrl ?? ((await isPublic(ports, url)) ? url : `${url}?key=${token}`)',
    tests: [keys],
  },
  {
    name: 'members see the host of a media server',
    file: `${movies}/media-servers/service.ts`,
    before: 'host: isOwner ? row.host : null,',
    after: 'host: row.host,',
    tests: [servers],
  },
  {
    name: 'the list of a disconnected server stays',
    file: `${movies}/media-servers/store.ts`,
    before: '  await dropLists(db, key, { except: null, now })\n',
    after: '',
    tests: [servers],
  },
  {
    name: 'the server of a former member is still asked',
    file: `${movies}/media-servers/service.ts`,
    before: 'if (row.creator_id !== userId) continue',
    after: "if (row.creator_id !== '') continue",
    tests: [servers],
  },
  {
    name: 'the server of a former member is still asked for movies',
    file: `${movies}/movie-requests/service.ts`,
    before: 'if (server?.creator_id !== userId) return',
    after: "if (server?.creator_id !== '') return",
    tests: [requests],
  },
  {
    name: 'a request that was sent is sent again',
    file: `${movies}/movie-requests/following.ts`,
    before: 'await (row.sent_at === null ? port.ask(row.tmdb_id, signal) : port.look(row.tmdb_id, signal))',
    after: 'await port.ask(row.tmdb_id, signal)',
    tests: [requests],
  },
  {
    name: 'an outage of Seerr ends a request',
    file: `${movies}/movie-requests/following.ts`,
    before:
      'await saveClaimed(trx, OPEN_REQUESTS, row, { due_at: until, claimed_by: null, attempts: row.attempts - 1 })',
    after:
      "await saveClaimed(trx, OPEN_REQUESTS, row, { due_at: null, state: 'failed', claimed_by: null, attempts: row.attempts - 1 })",
    tests: [requests],
  },
  {
    name: 'a live event names a card in the box whose movie has arrived',
    file: `${movies}/movie-requests/following.ts`,
    before: 'return found.find(({ movie }) => movie?.ids.tmdb === row.tmdb_id)?.cardId',
    after: 'return found.find(({ movie }) => movie?.ids.tmdb === row.tmdb_id)?.cardId ?? row.card_id',
    tests: [requests],
  },
  {
    name: 'a draw of what can be watched tells how many cards take part',
    file: 'server/src/rooms/draws/bands.ts',
    before: 'return hidesCount(filter) ? { eligible: null, isBand: false } : eligibleOf(count, filter)',
    after: 'return hidesCount(filter) && count < 0 ? { eligible: null, isBand: false } : eligibleOf(count, filter)',
    tests: [watchable],
  },
  {
    name: 'a member who is not at the night draws what can be watched',
    file: 'server/src/rooms/draws/watchable.ts',
    before: 'if (nightId === undefined || !isThere)',
    after: 'if (nightId === undefined)',
    tests: [watchable],
  },
  {
    name: 'a draw of what can be watched draws any card of the box',
    file: 'server/src/rooms/draws/watchable.ts',
    before: 'cards.filter(({ id }) => watchable.has(id))',
    after: 'cards.filter(({ id }) => watchable.size >= 0 || id)',
    tests: [watchable],
  },
]
