import { InvalidToken } from '@marquee/identity'

import { usernameKey } from '@marquee/contract/rules/account'
import { epochSeconds, systemClock } from '@marquee/platform/runtime/clock'

import type { Accounts } from '../ports.ts'

const NEVER = '99999999999'
const SOME_TIME = '2026-11-20T18:00:00.000Z'

type TestUser = { userId: string; username: string; email: string | undefined }

const users = new Map<string, TestUser>()
const oldSignIns = new Set<string>()
const endedSignIns = new Set<string>()
const recoveryCodes = new Map<string, string[]>()

/** Registers a user, who can then be found by username. Of several with the same name, the last counts. */
export function register(user: TestUser): void {
  users.set(usernameKey(user.username), user)
}

/** From now on the user's sign-in is an old one. */
export function ageSignIn({ userId }: Pick<TestUser, 'userId'>): void {
  oldSignIns.add(userId)
}

/** From now on the user is signed out, although their token is still accepted. */
export function endSignIn({ userId }: Pick<TestUser, 'userId'>): void {
  endedSignIns.add(userId)
}

/** An identity service without sign-up: the token names the user. */
export const testAccounts: Accounts = {
  pool: {
    userPoolId: 'us-east-1_TestPool1',
    userPoolClientId: 'test-client',
    userPoolEndpoint: 'http://marquee.test/identity/',
  },
  features: {
    passkeys: true,
    devices: false,
    secondFactors: true,
    customChallenges: false,
    verification: 'code',
    registration: 'open',
    externalProvider: null,
  },
  account: {
    isFresh: async (userId) => !oldSignIns.has(userId),
    countRecoveryCodes: async (userId) => recoveryCodes.get(userId)?.length ?? 0,
    makeRecoveryCodes: async (userId) => {
      const codes = ['AAAAA-BBBBB', 'CCCCC-DDDDD']
      recoveryCodes.set(userId, codes)
      return codes
    },
    listPasskeys: async () => [],
    renamePasskey: async () => undefined,
    listSessions: async (userId) =>
      endedSignIns.has(userId)
        ? []
        : [{ sessionId: sessionOf(userId), client: '', signedInAt: SOME_TIME, usedAt: SOME_TIME }],
    endSession: async () => false,
    listEvents: async () => [],
    exportData: async () => undefined,
    recordChange: async () => undefined,
  },
  routes: async (app) => {
    app.get('/here', async () => ({ identity: true }))
  },
  hostedRoutes: async () => undefined,
  verifyIdToken: async (token) => {
    const [kind, userId, username, expiresAt = NEVER] = token.split('.')
    if (kind !== 'test' || userId === undefined || username === undefined) throw new InvalidToken('no test token')
    if (isOver(Number(expiresAt))) throw new InvalidToken('expired')
    const name = Buffer.from(username, 'base64url').toString()
    return { userId, username: name, expiresAt: Number(expiresAt), originJti: sessionOf(userId) }
  },
  findUser: async (username) => users.get(usernameKey(username)),
  findUserByEmail: async (email) => [...users.values()].find((user) => user.email === email),
}

/** `expiresAt` is in seconds since 1970. */
export function testToken({ userId, username }: { userId: string; username: string }, expiresAt = NEVER): string {
  return `test.${userId}.${Buffer.from(username).toString('base64url')}.${expiresAt}`
}

function sessionOf(userId: string): string {
  return `session-of-${userId}`
}

function isOver(expiresAt: number): boolean {
  return expiresAt <= epochSeconds(systemClock)
}
