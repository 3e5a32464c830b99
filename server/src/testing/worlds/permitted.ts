import type { EndpointName } from '@marquee/contract/endpoints'
import { type AnyDb, withTables } from '@marquee/platform/database/database'

import type { CardTables } from '../../modules/cards/store.ts'
import type { DrawTables } from '../../modules/draws/store.ts'
import type { VoteTables } from '../../modules/nights/vote-store.ts'
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
      namesHidden(difference, given.query) && withoutBit(one.body) === withoutBit(other.body),
    means: 'goes on',
  },
  {
    because: 'A member who wants a movie that they name learns whether it is in the box',
    calls: ['wantMovie'],
    holds: ({ given, one, other }, { difference }) =>
      namesHidden(difference, given.body ?? {}) && [one, other].every(({ status }) => status === 204 || status === 404),
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
    holds: ({ name, given, one, other }, { unlikeDraws }) => {
      const drawNumber = name === 'openVote' ? given.body?.['drawNumber'] : given.params['drawNumber']
      return one.status === other.status && unlikeDraws.has(Number(drawNumber))
    },
    means: 'ends',
  },
  {
    because: 'A draw by people draws from the persons who want cards',
    calls: DRAWS,
    holds: async ({ one }, scene) => {
      const isAboutPeople = scene.difference === 'owner' || scene.difference === 'wants'
      return isAboutPeople && one.status === 200 && (await isDrawnByPeople(scene))
    },
    means: 'ends',
  },
  {
    because: 'A filter says whether no card matches, fewer than five, or more',
    calls: ['getDrawOdds'],
    holds: ({ given, one, other }) => 'filter' in given.query && crossesBand(one, other),
    means: 'goes on',
  },
  {
    because: 'A draw with a filter says whether no card matches, fewer than five, or more',
    calls: ['prepareDraw'],
    holds: ({ given, one, other }) =>
      given.body?.['filter'] !== undefined &&
      (crossesBand(one, other) || [one, other].some(({ status }) => status === 404)),
    means: 'ends',
  },
  {
    because: 'The result of a vote shows what won, and the totals once three have voted',
    // Whatever closes the vote: the last ballot, or someone who leaves.
    calls: 'any',
    holds: async (_step, { difference, one, other }) => {
      if (difference !== 'ballot') return false
      const [result, another] = [await resultOf(one.database.read), await resultOf(other.database.read)]
      if (result === undefined || another === undefined) return false
      return result.voted >= 3 || result.winner !== another.winner
    },
    means: 'ends',
  },
]

/** The first rule that permits what happened at this step, if any. */
export async function permissionFor(step: Step, scene: Scene): Promise<Permission | undefined> {
  for (const { calls, holds, means } of PERMITTED) {
    if ((calls === 'any' || calls.includes(step.name)) && (await holds(step, scene))) return means
  }
  return undefined
}

async function resultOf(db: AnyDb): Promise<{ voted: number; winner: string | null } | undefined> {
  const row = await withTables<VoteTables>(db)
    .selectFrom('night_vote')
    .select('result')
    .where('result', 'is not', null)
    .executeTakeFirst()
  return row?.result ? (JSON.parse(row.result) as { voted: number; winner: string | null }) : undefined
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

/** Whether the numbers of cards in two replies lie in different bands, and nothing else differs. */
function crossesBand(one: Answered, other: Answered): boolean {
  const [first, second] = [numberIn(one.body), numberIn(other.body)]
  const rest = ({ body }: Answered) => body.replaceAll(/"(?:eligible|resting)":(?:\d+|"[^"]*")/gu, '')
  return one.status === other.status && bandOf(first) !== bandOf(second) && rest(one) === rest(other)
}

function numberIn(body: string): string {
  return /"eligible":("[^"]*"|\d+)/u.exec(body)?.[1] ?? ''
}

function bandOf(value: string): string {
  if (!/^\d+$/u.test(value)) return value
  const count = Number(value)
  if (count === 0) return 'none'
  return count < 5 ? 'fewer than 5' : '5 or more'
}
