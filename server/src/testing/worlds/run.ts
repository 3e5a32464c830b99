import assert from 'node:assert/strict'

import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'
import type { Endpoint } from '@marquee/contract/endpoints'
import type { Database } from '@marquee/platform/database/database'

import { type Chance, seededChance } from '../simulation/chance.ts'
import { type Arguments, argumentsFor } from './arguments.ts'
import { namesOfHashes, seenIn, whereTheyPart } from './compare.ts'
import { DIFFERENCES, namesHidden } from './differences.ts'
import { createKnowledge, type Knowledge } from './knowledge.ts'
import { listUnlikeDraws, type Permission, permissionFor, type Scene } from './permitted.ts'
import { askedFor, FOLLOWERS, type Role, ROLES, setUp, type Stage } from './stage.ts'
import { startTime, type Time } from './time.ts'
import {
  type Answered,
  type Asked,
  shareLasting,
  startElsewhere,
  startReaders,
  startWorld,
  type World,
} from './world.ts'

const STEPS = 60
/** Every second step is the next of all pairs. */
const IN_TURN = 2
const SECOND = 1_000
/** A number that no step has. */
const AFTER_SETUP = 90_000
const HOUR = 3_600 * SECOND
/** Of a search for fewer steps: each is a whole run. */
const MOST_RUNS = 80

/** A call that some role makes. Its arguments follow from the number, the seed, and what the role knows by then. */
type Planned = { readonly number: number; readonly role: Role; readonly name: EndpointName }

/** After these calls there is nothing left to compare, so they are made in their turn only. */
const ENDS: ReadonlySet<EndpointName> = new Set(['deleteWatchlist', 'endNight'])
/** A reveal prepares a draw again if a card has left the box. */
const PREPARES: ReadonlySet<EndpointName> = new Set(['prepareDraw', 'revealDraw', 'openVote'])
/** Shares no factor with the number of pairs, so that a seed has calls of all kinds. */
const STRIDE = 389

/** Every role with every call: all of them are made in turn, over the seeds. */
export const PAIRS: readonly Omit<Planned, 'number'>[] = ROLES.flatMap((role) =>
  (Object.keys(ENDPOINTS) as EndpointName[]).map((name) => ({ role, name })),
)
/** Parts of the paths of calls that read what the box decides, made most often. */
const NEAR_THE_BOX =
  /draw|reveal|match|wants|imports|library|availability|vote|viewing|suggest|cards|statistics|seed|presence/u

/** Succeeds only after several other calls, so that a short run would not have it. */
const SELDOM_READY: ReadonlySet<EndpointName> = new Set(['castBallot'])

/** How often a call is among those that are drawn. */
function weightOf(name: EndpointName): number {
  if (SELDOM_READY.has(name)) return 9
  return NEAR_THE_BOX.test(ENDPOINTS[name].path) ? 3 : 1
}

/** The calls about a watchlist or a night by those who may make most of them. */
const DRAWN = PAIRS.filter(({ role, name }) => {
  const isInside = role === 'owner' || role === 'member' || role === 'writing token' || role === 'guest'
  return isInside && /:(?:watchlistId|nightId)/u.test(ENDPOINTS[name].path) && !ENDS.has(name)
}).flatMap((pair) => Array.from({ length: weightOf(pair.name) }, () => pair))

export type Tally = {
  /** The statuses of each call by each role, as `role call`. */
  readonly statuses: Map<string, Set<number>>
  /** The streams on which live events came, as `role: call`. */
  readonly heard: Set<string>
  /** How many runs took place, and how often the worlds began again because a caller may have learnt the secret. */
  runs: number
  ended: number
  steps: number
}

export function newTally(): Tally {
  return { statuses: new Map(), heard: new Set(), runs: 0, ended: 0, steps: 0 }
}

export type TwoWorlds = {
  /** Runs a seed; undefined if both worlds are alike. */
  readonly run: (seed: number, tally?: Tally) => Promise<string | undefined>
  readonly stop: () => Promise<void>
}

/** Two installations on empty databases with all tables, which differ in one secret per seed. */
export async function startTwoWorlds(open: () => Promise<Database<unknown>>): Promise<TwoWorlds> {
  const elsewhere = await startElsewhere()
  const readers = startReaders()
  const databases = [await open(), await open()] as const
  const time = startTime()
  const one = await startWorld(databases[0], { time, address: '127.0.0.1', elsewhere, readers })
  const other = await startWorld(databases[1], { time, address: '127.0.0.2', elsewhere, readers })
  await shareLasting(one, other)
  const pair: Pair = { one, other, time, port: elsewhere.port }
  return {
    run: async (seed, tally = newTally()) => {
      const finding = await play(pair, seed, planOf(seed), tally)
      if (finding === undefined) return undefined
      const { steps, message } = await fewest(pair, seed, finding)
      return [`Seed ${seed}, the worlds differ in: ${differenceOf(seed)}`, ...steps, message].join('\n  ')
    },
    stop: async () => {
      await one.stop()
      await other.stop()
      readers.decoder.stop()
      await readers.parser.stop()
      time.stop()
      await elsewhere.stop()
    },
  }
}

type Pair = { readonly one: World; readonly other: World; readonly time: Time; readonly port: number }
type Finding = { readonly done: readonly Planned[]; readonly steps: readonly string[]; readonly message: string }

const differenceOf = (seed: number) => DIFFERENCES[seed % DIFFERENCES.length] ?? 'movie'

/** What a member can see of a draw that is not revealed. Chance alone would look at it too rarely. None of these steps is in turn. */
const FIRST: ReadonlyMap<number, EndpointName> = new Map([
  [1, 'getDraw'],
  [3, 'listDraws'],
])

/** Half of the steps walk through all pairs over the seeds, the others are drawn. */
function planOf(seed: number): Planned[] {
  const chance = seededChance(seed, 0)
  return Array.from({ length: STEPS }, (_, number) => {
    const place = (seed * Math.ceil(STEPS / IN_TURN) + number / IN_TURN) * STRIDE
    const drawn = chance.pick(DRAWN)
    const first = FIRST.get(number)
    if (first !== undefined) return { number, role: 'member', name: first }
    const next = number % IN_TURN === 0 ? PAIRS[place % PAIRS.length] : drawn
    return { number, ...(next ?? { role: 'owner', name: 'listCards' }) }
  })
}

/** The fewest steps that still part the worlds: leaves out as many at once as it can. */
async function fewest(pair: Pair, seed: number, first: Finding): Promise<Finding> {
  let best = first
  let runs = 0
  for (let size = Math.ceil(best.done.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.done.length && runs < MOST_RUNS;) {
      runs += 1
      const fewer = best.done.filter((_, index) => index < at || index >= at + size)
      const found = await play(pair, seed, fewer, newTally())
      if (found) best = found
      else at += size
    }
  }
  return best
}

/**
 * Makes the planned calls in both worlds. Where a caller may learn the secret, the worlds begin again for the calls that are left,
 * so that every call is made.
 */
async function play(pair: Pair, seed: number, plan: readonly Planned[], tally: Tally): Promise<Finding | undefined> {
  tally.runs += 1
  for (let made = 0; made < plan.length;) {
    const played = await playUntilToldApart(pair, seed, plan.slice(made), tally)
    if (typeof played !== 'number') return played
    made += played
    if (made < plan.length) tally.ended += 1
  }
  return undefined
}

/** A finding, or how many calls were made. */
async function playUntilToldApart(
  pair: Pair,
  seed: number,
  plan: readonly Planned[],
  tally: Tally,
): Promise<Finding | number> {
  const { one, other, time, port } = pair
  await Promise.all([one.wipe(), other.wipe()])
  const difference = differenceOf(seed)
  const given = { time, seed, difference, port }
  const stage = await setUp(one, { ...given, name: 'one' })
  assert.deepEqual(await setUp(other, { ...given, name: 'other' }), stage)
  for (const [role, name] of FOLLOWERS) {
    const asked = askedFor(name, stage.tokenOf[role], {
      params: { watchlistId: stage.watchlistId, nightId: stage.nightId },
    })
    for (const world of [one, other]) await world.follow(`${role}: ${name}`, asked)
  }
  // The secret may have taken another number of calls.
  for (const world of [one, other]) world.reseed(seed, AFTER_SETUP)
  await pass(pair, SECOND)
  for (const world of [one, other]) world.told()
  const filesWithHidden = new Set<string>()
  const unlikeDraws = new Set<number>()
  const scene: Scene = { difference, stage, one, other, filesWithHidden, unlikeDraws }
  const caller = callerOn(pair, seed, stage)
  const names = [namesOfHashes(), namesOfHashes()] as const
  const done: Planned[] = []
  const steps: string[] = []
  for (const planned of plan) {
    done.push(planned)
    tally.steps += 1
    const { asked, args, chance } = caller.prepare(planned)
    const first = await answer(one, asked, { seed, step: planned.number })
    const second = await answer(other, asked, { seed, step: planned.number })
    steps.push(
      `${planned.role}: ${asked.method} ${asked.url} ${asked.payload ?? ''} → ${first.status}, ${second.status}`,
    )
    note(tally, planned, first)
    await pass(pair, pauseAfter(chance))
    const heard = [one.told(), other.told()] as const
    noteHeard(tally, heard[0])
    const permission = await permissionFor({ name: planned.name, given: args, one: first, other: second }, scene)
    const message = parting([first, second], heard, names, permission)
    if (message !== undefined) return { done, steps, message }
    if (permission === 'ends') return done.length
    caller.learn(planned, asked, first)
    if (PREPARES.has(planned.name)) for (const drawNumber of await listUnlikeDraws(pair)) unlikeDraws.add(drawNumber)
    if (planned.name === 'beginImport' && namesHiddenInFile(scene, args)) filesWithHidden.add(importOf(first))
  }
  return done.length
}

type Heard = ReturnType<World['told']>

/** In what the worlds differ that is not permitted; undefined if nowhere. A refusal by both never differs. */
function parting(
  [one, other]: readonly [Answered, Answered],
  [heard, heardThere]: readonly [Heard, Heard],
  [nameOne, nameOther]: readonly [(text: string) => string, (text: string) => string],
  permission: Permission | undefined,
): string | undefined {
  const [seen, seenThere] = [seenIn(one, nameOne), seenIn(other, nameOther)]
  const areRefused = one.status >= 400 && other.status >= 400
  if (seen !== seenThere && (areRefused || permission === undefined))
    return `The replies differ: ${whereTheyPart(seen, seenThere)}`
  if (permission === 'ends') return undefined
  const [statements, statementsThere] = [one.statements.join(';\n'), other.statements.join(';\n')]
  if (statements !== statementsThere) {
    const counts = `${one.statements.length} and ${other.statements.length}`
    return `The statements differ (${counts}): ${whereTheyPart(statements, statementsThere)}`
  }
  const [told, toldThere] = [nameOne(JSON.stringify(heard)), nameOther(JSON.stringify(heardThere))]
  return told === toldThere ? undefined : `Events or messages differ: ${whereTheyPart(told, toldThere)}`
}

async function answer(world: World, asked: Asked, { seed, step }: { seed: number; step: number }): Promise<Answered> {
  world.reseed(seed, step)
  const answered = await world.send(asked)
  await world.settled()
  return answered
}

async function pass({ one, other, time }: Pair, milliseconds: number): Promise<void> {
  time.moveAhead(milliseconds)
  await one.settled()
  await other.settled()
}

/** Mostly a second. Some rules begin after ten seconds, an hour, or a day. */
function pauseAfter(chance: Chance): number {
  if (chance.isOneIn(60)) return 26 * HOUR
  if (chance.isOneIn(30)) return HOUR + SECOND
  return chance.isOneIn(8) ? 11 * SECOND : SECOND
}

/** Makes the requests of a run, each from what its role knows by then. */
function callerOn({ port }: Pair, seed: number, stage: Stage) {
  const knowledge = new Map(ROLES.map((role) => [role, createKnowledge(stage.known)] as const))
  const seals = new Map<string, string>()
  const nothing = createKnowledge({})
  const knownBy = (role: Role): Knowledge => knowledge.get(role) ?? nothing
  return {
    prepare: ({ number, role, name }: Planned): { asked: Asked; args: Arguments; chance: Chance } => {
      const chance = seededChance(seed, number + 1)
      const endpoint: Endpoint = ENDPOINTS[name]
      const args = argumentsFor(name, { chance, knowledge: knownBy(role), port })
      const bare = askedFor(name, stage.tokenOf[role], { ...args })
      const seal = seals.get(`${role} ${bare.url}`)
      const headers = {
        ...bare.headers,
        ...(endpoint.takesKey && chance.isOneIn(3) && { 'idempotency-key': `a-key-of-${name}-${chance.below(2)}` }),
        ...(endpoint.revalidates && seal !== undefined && chance.isOneIn(2) && { 'if-none-match': seal }),
      }
      return { asked: { ...bare, headers }, args, chance }
    },
    learn: ({ role, name }: Planned, { url }: Asked, { status, headers, body }: Answered): void => {
      if (typeof headers['etag'] === 'string') seals.set(`${role} ${url}`, headers['etag'])
      if (status < 400 && body.startsWith('{')) knownBy(role).learn(ENDPOINTS[name].path, JSON.parse(body))
    },
  }
}

function note({ statuses }: Tally, { role, name }: Planned, { status }: Answered): void {
  const key = `${role} ${name}`
  statuses.set(key, (statuses.get(key) ?? new Set()).add(status))
}

function noteHeard({ heard }: Tally, told: Heard): void {
  for (const [name, messages] of Object.entries(told)) {
    if (messages.some((message) => message.startsWith('data: '))) heard.add(name)
  }
}

function namesHiddenInFile({ difference }: Scene, { body }: Arguments): boolean {
  return namesHidden(difference, Buffer.from(String(body?.['fileData']), 'base64').toString())
}

function importOf({ status, body }: Answered): string {
  return status === 201 ? String((JSON.parse(body) as { id: string }).id) : ''
}
