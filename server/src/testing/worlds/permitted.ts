import type { EndpointName } from '@marquee/contract/endpoints'
import { DRAW_BAND, MIN_COUNTED_BALLOTS } from '@marquee/contract/limits'
import { withTables } from '@marquee/platform/database/database'

import type { CardTables } from '../../rooms/movies/cards/card/store.ts'
import type { DrawTables } from '../../rooms/draws/store.ts'
import type { VoteResult } from '../../rooms/nights/nights/vote/count-votes.ts'
import type { PassTables } from '../../rooms/nights/nights/night/pass-store.ts'
import type { NightTables } from '../../rooms/nights/nights/night/store.ts'
import type { VoteRow, VoteTables } from '../../rooms/nights/nights/vote/vote-store.ts'
import type { Arguments } from './arguments.ts'
import { type Difference, namesHidden } from './differences.ts'
import type { Stage } from './stage.ts'
import type { Answered, World } from './world.ts'

/** One call in both worlds. */
export type Step = {
  readonly name: EndpointName
  readonly given: Arguments
  readonly one: Answered
  readonly other: Answered
}

export type Scene = {
  readonly difference: Difference
  readonly stage: Stage
  readonly one: World
  readonly other: World
  /** The files of imports whose rows name a hidden card, by the id of the import. */
  readonly filesWithHidden: ReadonlySet<string>
  /** The numbers of draws from other cards in each world, because their filter chooses by a fact that differs. */
  readonly unlikeDraws: ReadonlySet<number>
}

/** What a permitted difference means: the worlds go on alike, or their ways part here. */
export type Permission = 'goes on' | 'ends'

/** The calls that draw cards. Nothing else takes a card of others out of the box. */
const DRAWS = ['revealRandomCard', 'revealDraw', 'openVote'] as const satisfies readonly EndpointName[]

type Rule = {
  /** Why the difference may be there: what the call is for. */
  readonly because: string
  readonly calls: readonly EndpointName[] | 'any'
  /** Whether this step is such a case, told by more than that the replies differ. */
  readonly holds: (step: Step, scene: Scene) => Promise<boolean> | boolean
  readonly means: Permission
}

/** The only differences between the worlds that a caller may notice. */
const PERMITTED: readonly Rule[] = [
  {
    because: 'A member who names a movie learns whether it is in the box',
    calls: ['matchMovie'],
    holds: ({ given, one, other }, { difference }) =>
      namesHidden(difference, given.query) &&
      haveStatus(200, one, other) &&
      withoutBit(one.body) === withoutBit(other.body),
    means: 'goes on',
  },
  {
    because: 'A member who wants a movie that they name learns whether it is in the box',
    calls: ['wantMovie'],
    holds: ({ given, one, other }, { difference }) =>
      namesHidden(difference, given.body ?? {}) &&
      [204, 404].every((status) => one.status === status || other.status === status),
    means: 'ends',
  },
  {
    because: 'A movie of an applied import that is in the box is among the movies that its member wants',
    calls: ['applyImport'],
    holds: ({ given }, { filesWithHidden }) => filesWithHidden.has(given.params['importId'] ?? ''),
    means: 'ends',
  },
  {
    because: 'A draw shows the cards that it draws, and the hidden card was among them',
    calls: DRAWS,
    holds: async (_step, scene) => (await hasLeftBox(scene.one, scene)) || (await hasLeftBox(scene.other, scene)),
    means: 'ends',
  },
  {
    because: 'A draw draws from other cards if the facts by which its filter chooses differ',
    calls: ['revealDraw', 'openVote'],
    holds: (step, { unlikeDraws }) => step.one.status === step.other.status && unlikeDraws.has(drawNumberOf(step)),
    means: 'ends',
  },
  {
    because: 'A draw of what can be watched tonight says at its reveal that it finds nothing',
    calls: ['revealDraw', 'openVote'],
    holds: (step, { unlikeDraws }) => {
      const nothing = [step.one, step.other].find(({ status }) => status === 409)
      return (
        unlikeDraws.has(drawNumberOf(step)) &&
        nothing !== undefined &&
        nothing.body.includes('No movie in the box can be watched tonight')
      )
    },
    means: 'ends',
  },
  {
    because: 'A draw by people draws from the persons who want cards',
    calls: DRAWS,
    holds: async ({ one, other }, scene) => {
      const isAboutPeople = scene.difference === 'owner' || scene.difference === 'wants'
      return isAboutPeople && haveStatus(200, one, other) && (await isDrawnByPeople(scene))
    },
    means: 'ends',
  },
  {
    because: 'A filter says whether no card matches, fewer than five, or more',
    calls: ['getDrawOdds'],
    holds: ({ given, one, other }) =>
      'filter' in given.query && haveStatus(200, one, other) && differInBands(one, other),
    means: 'goes on',
  },
  {
    because: 'A draw with a filter says whether no card matches, fewer than five, or more',
    calls: ['prepareDraw'],
    holds: ({ given, one, other }) => {
      const filter = given.body?.['filter']
      if (typeof filter !== 'object' || filter === null || 'watchable' in filter) return false
      const nothing = [one, other].find(({ status }) => status === 404)
      const found = [one, other].find(({ status }) => status === 201)
      if (nothing && found) return nothing.body.includes('No card in the box matches the filter')
      return haveStatus(201, one, other) && differInBands(one, other)
    },
    means: 'ends',
  },
  {
    because: 'The result of a vote shows what won',
    // Whatever closes the vote: the last ballot, someone who leaves, or the end of the night.
    calls: 'any',
    holds: async (_step, { difference, one, other }) => {
      if (difference !== 'ballot') return false
      const [vote, another] = [await findClosed(one), await findClosed(other)]
      return vote !== undefined && another !== undefined && vote.winner !== another.winner
    },
    means: 'ends',
  },
  {
    because: 'The result shows totals if all at the night have voted, from three devices, and none of them left before',
    calls: 'any',
    holds: async (_step, { difference, one, other }) =>
      difference === 'ballot' && (await maySeeTotals(one)) && (await maySeeTotals(other)),
    means: 'ends',
  },
]

function drawNumberOf({ name, given }: Step): number {
  return Number(name === 'openVote' ? given.body?.['drawNumber'] : given.params['drawNumber'])
}

/** The first rule that permits what happened at this step, if any. */
export async function permissionFor(step: Step, scene: Scene): Promise<Permission | undefined> {
  for (const { calls, holds, means } of PERMITTED) {
    if ((calls === 'any' || calls.includes(step.name)) && (await holds(step, scene))) return means
  }
  return undefined
}

const haveStatus = (status: number, one: Answered, other: Answered) => one.status === status && other.status === status

type Closed = VoteResult & Pick<VoteRow, 'opened_at'> & { closed_at: string }

async function findClosed({ database }: World): Promise<Closed | undefined> {
  const row = await withTables<VoteTables>(database.read)
    .selectFrom('night_vote')
    .select(['opened_at', 'closed_at', 'result'])
    .where('result', 'is not', null)
    .orderBy('draw_number')
    .limit(1)
    .executeTakeFirst()
  if (!row?.result || row.closed_at === null) return undefined
  return { ...(JSON.parse(row.result) as VoteResult), opened_at: row.opened_at, closed_at: row.closed_at }
}

/** Told from who came, left and voted, not from what the product counts. */
async function maySeeTotals(world: World): Promise<boolean> {
  const vote = await findClosed(world)
  if (!vote) return false
  const db = withTables<VoteTables & Pick<NightTables, 'night_presence'> & Pick<PassTables, 'night_pass'>>(
    world.database.read,
  )
  const members = await db.selectFrom('night_presence').select(['user_id', 'username', 'since', 'left_at']).execute()
  const guests = await db
    .selectFrom('night_pass')
    .select(['id', 'created_by', 'created_at', 'ended_at'])
    .where('kind', '=', 'guest')
    .execute()
  const people = [
    ...members.map((row) => ({ id: row.user_id, device: row.username, since: row.since, until: row.left_at })),
    ...guests.map((row) => ({
      id: row.id,
      device: row.created_by ?? row.id,
      since: row.created_at,
      until: row.ended_at,
    })),
  ].filter(({ since, until }) => since <= vote.closed_at && (until === null || until >= vote.opened_at))
  const ballots = await db
    .selectFrom('night_ballot')
    .select('user_id')
    .where('voted_at', '<=', vote.closed_at)
    .execute()
  const voters = new Set(ballots.map(({ user_id: id }) => id))
  return (
    voters.size === vote.voted &&
    people.every(({ id, until }) => voters.has(id) && (until === null || until > vote.closed_at)) &&
    new Set(people.map(({ device }) => device)).size >= MIN_COUNTED_BALLOTS
  )
}

/** The reply of a match without whether the movie is in the box. */
function withoutBit(body: string): string {
  return body.replaceAll(/"isInBox":(?:true|false)/gu, '')
}

async function hasLeftBox(world: World, { stage }: Scene): Promise<boolean> {
  if (stage.hiddenId === undefined) return false
  const row = await withTables<CardTables>(world.database.read)
    .selectFrom('card')
    .select('status')
    .where('watchlist_id', '=', stage.watchlistId)
    .where('id', '=', stage.hiddenId)
    .executeTakeFirst()
  return row !== undefined && row.status !== 'SUGGESTED'
}

/** The numbers of prepared draws that do not draw from the same cards in both worlds. */
export async function listUnlikeDraws({ one, other }: Pick<Scene, 'one' | 'other'>): Promise<number[]> {
  const [draws, others] = [await candidatesIn(one), await candidatesIn(other)]
  return [...draws].filter(([number, cards]) => others.get(number) !== cards).map(([number]) => number)
}

async function candidatesIn({ database }: World): Promise<Map<number, string>> {
  const rows = await withTables<DrawTables>(database.read)
    .selectFrom('draw')
    .select(['draw_number', 'candidates'])
    .where('status', '=', 'prepared')
    .execute()
  return new Map(
    rows.map(({ draw_number, candidates }) => {
      const cards = JSON.parse(candidates ?? '[]') as { id: string }[]
      return [draw_number, JSON.stringify(cards.map(({ id }) => id).toSorted())] as const
    }),
  )
}

async function isDrawnByPeople({ one, stage }: Scene): Promise<boolean> {
  const row = await withTables<DrawTables>(one.database.read)
    .selectFrom('draw')
    .select('rule')
    .where('watchlist_id', '=', stage.watchlistId)
    .where('status', '=', 'revealed')
    .orderBy('revealed_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined && row.rule !== 'cards'
}

/** Whether two replies tell bands of numbers of cards, in which alone they differ. */
function differInBands(one: Answered, other: Answered): boolean {
  const facts = [one, other].map(({ body }) => JSON.parse(body) as { eligible: number; isBand: boolean })
  const areBands = facts.every(({ eligible, isBand }) => isBand && BANDS.has(eligible))
  const rest = facts.map((fact) => JSON.stringify({ ...fact, eligible: 0, commitment: '' }))
  return areBands && facts[0]?.eligible !== facts[1]?.eligible && rest[0] === rest[1]
}

const BANDS: ReadonlySet<number> = new Set([0, 1, DRAW_BAND])
