import {
  AdminGetUserCommand,
  type AdminGetUserCommandOutput,
  type CognitoIdentityProviderClient,
  InvalidParameterException,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider'
import type { Clock } from '@marquee/platform/runtime/clock'
import { MINUTE_MS } from '@marquee/platform/runtime/durations'
import type { Logger } from '@marquee/platform/runtime/logger'
import { LRUCache } from 'lru-cache'

import { isUsername, nameKey } from '../../base/names.ts'
import type { FoundUser } from '../../parts/users/account.ts'
import { DirectoryUnavailable } from './addresses.ts'

const REMEMBERED = 10_000
const KNOWN_MS = MINUTE_MS
/** Shorter, since a missing user may be invited to sign up and then be looked up again. */
const UNKNOWN_MS = 5_000

/** A disabled user is found, too. */
export type AmazonAccount = FoundUser & { isEnabled: boolean }

type Answer = { user: Promise<AmazonAccount | undefined>; until: number }

/**
 * Finds users with AdminGetUser, which also accepts an e-mail or a `sub` as a name. A username is found in any case, since
 * Amazon may store it in lower case. Its results are cached for a short time; failures are not. An address is found where
 * the pool accepts one as a name.
 */
export function createAmazonUsers({
  client,
  userPoolId,
  clock,
  logger,
}: {
  client: CognitoIdentityProviderClient
  userPoolId: string
  clock: Clock
  logger: Logger
}): {
  findUser: (username: string) => Promise<AmazonAccount | undefined>
  findUserByEmail: (email: string) => Promise<AmazonAccount | undefined>
} {
  const answers = new LRUCache<string, Answer>({ max: REMEMBERED })

  async function ask(username: string): Promise<AmazonAccount | undefined> {
    try {
      return present(await client.send(new AdminGetUserCommand({ UserPoolId: userPoolId, Username: username })))
    } catch (error) {
      // No user has a name that Amazon does not allow.
      if (error instanceof UserNotFoundException || error instanceof InvalidParameterException) return undefined
      const { name, message } = error instanceof Error ? error : { name: 'unknown', message: '' }
      logger.error({ type: name, message }, 'the user pool could not be asked for a user')
      throw new DirectoryUnavailable('The user pool could not be asked', { cause: error })
    }
  }

  const findUser = async (username: string): Promise<AmazonAccount | undefined> => {
    const key = nameKey(username)
    if (!isUsername(key)) return undefined
    const now = clock.now().getTime()
    const known = answers.get(key)
    if (known !== undefined && now < known.until) return await known.user

    const asked = ask(username.trim().normalize('NFC')).then((user) =>
      user !== undefined && nameKey(user.username) === key ? user : undefined,
    )
    const answer = { user: asked, until: now + KNOWN_MS }
    answers.set(key, answer)
    try {
      const user = await asked
      if (user === undefined) answer.until = now + UNKNOWN_MS
      return user
    } catch (error) {
      if (answers.get(key) === answer) answers.delete(key)
      throw error
    }
  }

  return {
    findUser,
    findUserByEmail: async (email) => {
      const user = await ask(email)
      return user?.email !== undefined && nameKey(user.email) === nameKey(email) ? user : undefined
    },
  }
}

/** The confirmed user of a reply, with the address only if it is verified. */
function present(output: AdminGetUserCommandOutput): AmazonAccount | undefined {
  const { Username, UserAttributes, UserStatus, Enabled } = output
  const attributes = new Map((UserAttributes ?? []).map(({ Name, Value }) => [Name, Value]))
  const userId = attributes.get('sub')
  if (Username === undefined || userId === undefined || UserStatus === 'UNCONFIRMED') return undefined
  const email = attributes.get('email_verified') === 'true' ? attributes.get('email') : undefined
  return { userId, username: Username, email, isEnabled: Enabled !== false }
}
