import { z } from 'zod'

import { CognitoError } from '../../base/errors/refusals.ts'
import { isUuid, nameKey } from '../../base/names.ts'
import type { MailPorts, Pool, VerifyPorts } from '../../base/ports.ts'
import * as field from '../../base/requests/fields.ts'
import { operation } from '../../base/requests/operation.ts'
import { presentMfa } from '../../parts/mfa/methods.ts'
import { listPasskeys } from '../../parts/passkeys/passkey-store.ts'
import { presentAttributes } from '../../parts/users/attributes.ts'
import { findLoginName } from '../../parts/users/login-name-store.ts'
import { findUserBySub } from '../../parts/users/user-store.ts'
import { authorize } from '../../sign-in/signed-in.ts'
import { removeUser } from '../account/remove-user.ts'

type Ports = VerifyPorts & MailPorts & Pick<Pool, 'endedSessions' | 'onUserDeleted' | 'userAgent'>

const GetUser = z.object({ AccessToken: field.token })

/** The signed-in user with the enabled second factors. */
export const getUser = operation(GetUser, async (pool: VerifyPorts, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  return {
    Username: user.username,
    UserAttributes: presentAttributes(user),
    ...(await presentMfa(pool.database.read, user)),
  }
})

const GetUserAuthFactors = z.object({ AccessToken: field.token })

/** The available first factors of the signed-in user, and the enabled second factors. */
export const getUserAuthFactors = operation(GetUserAuthFactors, async (pool: VerifyPorts, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  const ConfiguredUserAuthFactors = ['PASSWORD']
  if (user.email_verified === 1) ConfiguredUserAuthFactors.push('EMAIL_OTP')
  if (user.phone_number !== null) ConfiguredUserAuthFactors.push('SMS_OTP')
  if ((await listPasskeys(pool.database.read, user.sub)).length > 0) ConfiguredUserAuthFactors.push('WEB_AUTHN')
  return { Username: user.username, ConfiguredUserAuthFactors, ...(await presentMfa(pool.database.read, user)) }
})

const AdminGetUser = z.object({ UserPoolId: field.userPoolId, Username: field.username })

/** A user in any state by username, verified e-mail or `sub`; dates are in seconds since 1970. */
export const adminGetUser = operation(AdminGetUser, async (pool: Pick<Pool, 'database' | 'id'>, input) => {
  if (input.UserPoolId !== pool.id) {
    throw new CognitoError('ResourceNotFoundException', `User pool ${input.UserPoolId} does not exist.`)
  }
  const key = nameKey(input.Username)
  const db = pool.database.read
  const sub = (await findLoginName(db, { nameKey: key }))?.sub ?? (isUuid(key) ? key : undefined)
  const user = sub === undefined ? undefined : await findUserBySub(db, sub)
  if (!user) throw new CognitoError('UserNotFoundException', 'User does not exist.')
  return {
    Username: user.username,
    UserAttributes: presentAttributes(user),
    UserCreateDate: Date.parse(user.created_at) / 1000,
    UserLastModifiedDate: Date.parse(user.updated_at) / 1000,
    Enabled: user.enabled === 1,
    UserStatus: user.status,
    ...(await presentMfa(db, user)),
  }
})

const DeleteUser = z.object({ AccessToken: field.token })

/** Removes the signed-in user with all their data. */
export const deleteUser = operation(DeleteUser, async (pool: Ports, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  await removeUser(pool, user.sub)
  return {}
})
