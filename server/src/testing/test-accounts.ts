import { InvalidToken } from '@marquee/identity'

import { usernameKey } from '@marquee/contract/rules/account'

import type { Accounts } from '../ports.ts'

type TestUser = { userId: string; username: string; email: string | undefined }

const users = new Map<string, TestUser>()

/** Lets a user be found by their username; of several with the same, the last. */
export function register(user: TestUser): void {
  users.set(usernameKey(user.username), user)
}

/** An identity service without sign-up: the token says who it is for. */
export const testAccounts: Accounts = {
  pool: {
    userPoolId: 'us-east-1_TestPool1',
    userPoolClientId: 'test-client',
    userPoolEndpoint: 'http://marquee.test/identity/',
  },
  routes: async (app) => {
    app.get('/here', async () => ({ identity: true }))
  },
  verifyIdToken: async (token) => {
    const [kind, userId, username] = token.split('.')
    if (kind !== 'test' || userId === undefined || username === undefined) throw new InvalidToken('no test token')
    return { userId, username: Buffer.from(username, 'base64url').toString() }
  },
  findUser: async (username) => users.get(usernameKey(username)),
}

export function testToken({ userId, username }: { userId: string; username: string }): string {
  return `test.${userId}.${Buffer.from(username).toString('base64url')}`
}
