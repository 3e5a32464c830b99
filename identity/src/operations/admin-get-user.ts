import { z } from 'zod'

import { presentMfa } from '../mfa/present-mfa.ts'
import { findLoginName } from '../users/login-name-store.ts'
import { isUuid, nameKey } from '../users/names.ts'
import { presentAttributes } from '../users/attributes.ts'
import { findUserBySub } from '../users/user-store.ts'
import { CognitoError } from '../wire/cognito-error.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import type { Pool } from '../base/ports.ts'

const AdminGetUser = z.object({ UserPoolId: field.userPoolId, Username: field.username })

/** A user by username, proven e-mail or `sub`, whatever their state; dates are in seconds since 1970. */
export const adminGetUser = operation(AdminGetUser, async (pool: Pick<Pool, 'database' | 'id'>, input) => {
  if (input.UserPoolId !== pool.id) {
    throw new CognitoError('ResourceNotFoundException', `User pool ${input.UserPoolId} does not exist.`)
  }
  const key = nameKey(input.Username)
  const db = pool.database.read
  const sub = (await findLoginName(db, key))?.sub ?? (isUuid(key) ? key : undefined)
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
