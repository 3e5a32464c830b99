import { beforeAll, describe, expect, test } from 'vitest'

import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'
import { TRIES_ALL } from '@marquee/platform/testing/each-database'
import { freshPostgresUrl } from '@marquee/platform/testing/postgres-server'

import { emptyPostgres, emptySqlite } from './testing/worlds/databases.ts'
import { newTally, PAIRS, startTwoWorlds } from './testing/worlds/run.ts'
import { FOLLOWERS } from './testing/worlds/stage.ts'

/** So many on SQLite make every call from every role, and on PostgreSQL have every difference. `npm run worlds` runs more. */
const SEEDS = TRIES_ALL ? { sqlite: 120, postgres: 12 } : { sqlite: 60, postgres: 6 }
const TAKES_AT_MOST_MS = 900_000
/** Finding the fewest calls takes long. */
const MOST_FINDINGS = 1

/** Calls that may succeed for no one here, and why. */
const MAY_FAIL: Partial<Record<EndpointName, string>> = {
  checkSetup: 'There are accounts',
  sendTestMail: 'There are accounts',
  createFirstAccount: 'There are accounts',
  renamePasskey: 'No one has a passkey',
  endSession: 'No one has a second session',
  searchCatalogue: 'There is no catalogue',
  readCatalogueMovie: 'There is no catalogue',
  readCatalogueLink: 'There is no catalogue',
  validateImageUrl: 'There is no internet',
  renewPushDevice: 'Only a browser knows its renewal',
  findScreenPass: 'Only a screen knows its secret',
  pairScreen: 'Only a screen shows its code',
  readCalendar: 'Needs an address that the same role has made',
  acceptInvitation: 'Needs an invitation to the same role',
  acceptReceivedInvitation: 'Needs an invitation to the same role',
  declineInvitation: 'Needs an invitation to the same role',
}

/** Calls that succeed after several others by the same role, which a short run may not have. `npm run worlds` has them. */
const RARE: ReadonlySet<EndpointName> = new Set([
  'deleteWatchlist',
  'handOverWatchlist',
  'undoMove',
  'editComment',
  'deleteComment',
  'withdrawInvitation',
  'withdrawMailInvitation',
  'changeNight',
  'fixNightTime',
  'answerNight',
  'cancelNight',
  'addSeed',
  'endScreen',
  'openVote',
  'vetoCard',
  'closeVote',
  'joinNight',
  'claimNight',
  'readNotification',
  'removePushDevice',
  'switchWebhook',
  'deleteWebhook',
  'testWebhook',
  'listWebhookDeliveries',
  'connectMediaServer',
  'changeMediaServer',
  'deleteMediaServer',
  'readMediaServer',
  'beginQuickConnect',
  'finishQuickConnect',
  'linkWithPassword',
  'listMediaAccounts',
  'claimMediaAccount',
  'answerMediaClaim',
  'unlinkMediaUser',
  'makeMediaHook',
  'connectRequestServer',
  'changeRequestServer',
  'deleteRequestServer',
  'askForMovie',
  'listPlayers',
  'playWinner',
  'chooseImportRows',
  'applyImport',
  'cancelImport',
  'undoImport',
  'revokePersonalToken',
])

/** Runs the first seeds. Findings are texts with the seed and the fewest calls that part the worlds. */
async function compareWorlds(open: Parameters<typeof startTwoWorlds>[0], seeds: number) {
  const worlds = await startTwoWorlds(open)
  const tally = newTally()
  const findings: string[] = []
  for (let seed = 1; seed <= seeds && findings.length < MOST_FINDINGS; seed += 1) {
    const finding = await worlds.run(seed, tally)
    if (finding !== undefined) findings.push(finding)
  }
  await worlds.stop()
  return { findings, tally }
}

describe('two worlds on SQLite that differ in one secret', () => {
  let compared: Awaited<ReturnType<typeof compareWorlds>>

  beforeAll(async () => {
    const place = await emptySqlite()
    compared = await compareWorlds(place.open, SEEDS.sqlite)
    await place.remove()
  }, TAKES_AT_MOST_MS)

  // Evidence: asvs-8.2.3
  test('two worlds on SQLite that differ in one secret give the same answers to callers who do not know it', () => {
    expect(compared.findings).toEqual([])
  })

  test('two worlds on SQLite that differ in one secret get every call of the contract from every role', () => {
    const { statuses } = compared.tally

    expect(PAIRS.filter(({ role, name }) => !statuses.has(`${role} ${name}`))).toEqual([])
  })

  test('two worlds on SQLite that differ in one secret let every call succeed, except listed ones', () => {
    const succeeded = new Set(
      PAIRS.filter(({ role, name }) => compared.tally.statuses.get(`${role} ${name}`)?.has(ENDPOINTS[name].status)).map(
        ({ name }) => name,
      ),
    )
    const failed = (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => !succeeded.has(name))

    expect(failed.filter((name) => !(name in MAY_FAIL) && !RARE.has(name))).toEqual([])
  })

  test('two worlds on SQLite that differ in one secret send live events on every stream', () => {
    expect([...compared.tally.heard].toSorted()).toEqual(FOLLOWERS.map(([role, name]) => `${role}: ${name}`).toSorted())
  })

  test('two worlds on SQLite that differ in one secret usually stay alike until the last call of a run', () => {
    const { runs, ended } = compared.tally

    expect(ended / runs).toBeLessThan(0.5)
  })
})

test(
  'two worlds on PostgreSQL that differ in one secret give the same answers to callers who do not know it',
  async () => {
    const open = emptyPostgres([await freshPostgresUrl(), await freshPostgresUrl()])

    const { findings } = await compareWorlds(open, SEEDS.postgres)

    expect(findings).toEqual([])
  },
  TAKES_AT_MOST_MS,
)
