import type { Mutant } from './mutant.ts'

const rooms = 'server/src/rooms'
const migrations = 'server/src/migrations'
const draws = `${rooms}/draws/draws.test.ts`
const seeds = `${rooms}/nights/nights/seeds.test.ts`
const votes = `${rooms}/nights/nights/vote/vote-disclosure.test.ts`
const search = ['server/src/library-secrecy.test.ts', `${migrations}/0060-words-of-the-feed.test.ts`]
const worlds = ['server/src/two-worlds.test.ts']

/** The box is a promise: no one learns what is in it, or how others voted, and no one chooses what is drawn. */
export const BOX: readonly Mutant[] = [
  {
    name: 'the words of a new card in the box are in the index of the feed',
    file: `${migrations}/0060-words-of-the-feed.ts`,
    before: "where value <> '' and new.status <> 'SUGGESTED' on conflict do nothing`",
    after: "where value <> '' on conflict do nothing`",
    tests: search,
  },
  {
    name: 'the words of a card that is put back stay in the index of the feed',
    file: `${migrations}/0060-words-of-the-feed.ts`,
    before: 'begin ${remove}; ${add}; end`',
    after: 'begin ${add}; end`',
    tests: search,
  },
  {
    name: 'PostgreSQL has the words of a new card in the box in the index of the feed',
    file: `${migrations}/0060-words-of-the-feed.ts`,
    before: "if new.status <> 'SUGGESTED' then",
    after: "if new.status <> '' then",
    tests: search,
  },
  {
    name: 'an upgrade leaves the words of the box in the index of the feed',
    file: `${migrations}/0061-words-of-the-box.ts`,
    before: "> (${watchlistId}, ${id}) and status = 'SUGGESTED'",
    after: "> (${watchlistId}, ${id}) and status = ''",
    tests: search,
  },
  {
    name: 'a ticket stays the same from draw to draw',
    file: `${rooms}/draws/prepare.ts`,
    before: "secret: random.bytes(SECRET_BYTES).toString('hex')",
    after: 'secret: sha256(card.id).slice(0, 32)',
    tests: [draws],
  },
  {
    name: 'a prepared draw shows its table',
    file: `${rooms}/draws/present.ts`,
    before: "const people = row.status === 'revealed' ? peopleOf(row) : null",
    after: "const people = facts.status === 'abandoned' ? null : peopleOf(row)",
    tests: [draws],
  },
  {
    name: 'an abandoned draw shows its table',
    file: `${rooms}/draws/present.ts`,
    before: "const people = row.status === 'revealed' ? peopleOf(row) : null",
    after: "const people = facts.status === 'prepared' ? null : peopleOf(row)",
    tests: [draws],
  },
  {
    name: 'a caller draws with a rule that shows more than that of the watchlist',
    file: 'contract/src/rules/draw-secrecy.ts',
    before: "return ofWatchlist === 'cards' && rule !== 'cards'",
    after: "return ofWatchlist === 'cards' && rule === 'cards'",
    tests: [draws],
  },
  {
    name: 'the table of a draw with a filter names people',
    file: 'contract/src/rules/draw-secrecy.ts',
    before:
      "return rule !== 'cards' && maxRuntime === undefined && withoutGenres === undefined && watchable === undefined",
    after: "return rule !== 'cards' || [maxRuntime, withoutGenres, watchable].length === 0",
    tests: [draws],
  },
  {
    name: 'odds tell exactly how many cards match a filter',
    file: `${rooms}/draws/bands.ts`,
    before: '{ eligible: bandOf(count), isBand: true }',
    after: '{ eligible: count, isBand: false }',
    tests: [draws],
  },
  {
    name: 'odds tell exactly how many cards rest with a filter',
    file: `${rooms}/draws/service.ts`,
    before: 'resting: drawFilter === null ? resting : bandOf(putBack)',
    after: 'resting: drawFilter === null ? resting : putBack',
    tests: [draws],
  },
  {
    name: 'a filter compares lengths to the minute',
    file: 'contract/src/rules/draw-secrecy.ts',
    before: 'maxRuntime - (maxRuntime % DRAW_RUNTIME_STEP)',
    after: 'Math.max(maxRuntime, DRAW_RUNTIME_STEP)',
    tests: [draws],
  },
  {
    name: 'a filter may name people who are not at the night',
    file: `${rooms}/draws/prepare.ts`,
    before: 'if (filter?.unseenBy === undefined) return',
    after: "if (filter?.unseenBy === undefined || watchlistId !== '') return",
    tests: [draws],
  },
  {
    name: 'a draw is prepared again with people who have left the night',
    file: `${rooms}/draws/prepare.ts`,
    before: 'requireFilter(trx, ports, watchlistId, filter),',
    after: '',
    tests: [draws],
  },
  {
    name: 'odds with a filter name people',
    file: `${rooms}/draws/service.ts`,
    before: "if (rule === 'cards' || drawFilter !== null) return",
    after: "if (rule === 'cards') return",
    tests: [draws],
  },
  {
    name: 'a vote that is closed after one ballot shows its totals',
    file: `${rooms}/nights/nights/vote/vote-disclosure.ts`,
    before: '    !isComplete ||\n',
    after: '',
    tests: [votes],
  },
  {
    name: 'the votes of people from one device show their totals',
    file: `${rooms}/nights/nights/vote/vote-disclosure.ts`,
    before: 'new Set(present.map(({ device }) => device)).size < MIN_COUNTED_BALLOTS',
    after: 'present.length < MIN_COUNTED_BALLOTS',
    tests: [votes],
  },
  {
    name: 'a vote shows the totals of two ballots that an earlier version stored',
    file: `${rooms}/nights/nights/vote/vote-disclosure.ts`,
    before: 'cards: voted < MIN_COUNTED_BALLOTS ? [] : cards',
    after: 'cards',
    tests: [votes],
  },
  {
    name: 'a person who leaves takes their vote out of the count',
    file: `${rooms}/nights/nights/vote/vote-disclosure.ts`,
    before: '...absentees.map(({ userId }) => userId), ...voters])',
    after: '])',
    tests: [votes],
  },
  {
    name: 'the winner after a removal shows the ballot of the removed person',
    file: `${rooms}/nights/nights/vote/vote-disclosure.ts`,
    before: '...absentees.filter(({ isRemoved }) => isRemoved)]',
    after: ']',
    tests: [votes],
  },
  {
    name: 'the library lists cards of the box',
    file: `${rooms}/movies/cards/library/library-store.ts`,
    before: "    .where('watchlist_id', '=', watchlistId)\n    .where(IS_IN_FEED)\n    .where((eb) => eb.and(behind",
    after: "    .where('watchlist_id', '=', watchlistId)\n    .where((eb) => eb.and(behind",
    tests: ['tools/checks/box.test.ts'],
  },
  {
    name: 'a caller without a ballot sees that of another',
    file: `${rooms}/nights/nights/vote/read-vote.ts`,
    before: 'const own = ballots.find(({ user_id: userId }) => userId === user.userId)',
    after: 'const own = ballots.find(({ user_id: userId }) => userId === user.userId) ?? ballots[0]',
    tests: worlds,
  },
  {
    name: 'a live event tells the titles of the box',
    file: `${rooms}/news/live/follower.ts`,
    before: '    this.#tell(event)\n    // A former',
    after: `    const cards = (this.ports.database.read as any).selectFrom('card').select('title').where('status', '=', 'SUGGESTED')
    this.#tell({ ...event, cards: await cards.execute() } as LiveEvent)
    // A former`,
    tests: worlds,
  },
  {
    name: 'a seed is taken without a hash that was sent in time',
    file: `${rooms}/draws/seeds.ts`,
    before: "if (!hashesOf(draw)?.includes(opened.hash)) throw new Problem('CONFLICT', NO_HASH)",
    after: '',
    tests: [seeds],
  },
  {
    name: 'a hash is taken after the hashes are closed',
    file: `${rooms}/draws/seeds.ts`,
    before: "if (draw.hashes !== null) throw new Problem('CONFLICT', HASHES_ARE_CLOSED)",
    after: '',
    tests: [seeds],
  },
  {
    name: 'a device that does not open its seed is left out without a word',
    file: `${rooms}/draws/seeds.ts`,
    before: 'if (missing.length === 0) return',
    after: 'if (missing.length >= 0) return',
    tests: [seeds],
  },
  {
    name: 'the member who reveals brings a seed without a hash',
    file: `${rooms}/draws/seeds.ts`,
    before: "if (!own.every((seed) => hashes.includes(hashOfSeed(seed)))) throw new Problem('BAD_REQUEST', NO_HASH)",
    after: '',
    tests: [seeds, draws],
  },
]
