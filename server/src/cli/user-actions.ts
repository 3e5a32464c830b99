import type { Entry, Identity } from '@marquee/identity'
import { systemRandom } from '@marquee/platform/runtime/random'
import { Refusal } from '@marquee/platform/runtime/refusal'

import type { Settings } from '../settings/settings.ts'
import { temporaryPassword } from './temporary-password.ts'

type Action = (identity: Identity, user: Entry, settings: Settings) => Promise<void>

/** The actions on an existing user, by name. */
export const ACTIONS = new Map(
  Object.entries<Action>({
    find: async (_identity, user) => {
      await Promise.resolve()
      for (const [label, value] of Object.entries(user)) console.log(`${label}: ${String(value)}`)
    },
    confirm: async ({ directory }, { userId, username }) => {
      const hindrance = await directory.confirm(userId)
      if (hindrance === 'not-waiting') throw new Refusal(`${username} is confirmed already.`)
      if (hindrance === 'address-taken') throw new Refusal('Another account has proven that address.')
      console.log(`${username} is confirmed and may sign in.`)
    },
    disable: async ({ admin }, user) => {
      await admin.disableUser(confirmed(user).username)
      console.log(`${user.username} is disabled, and signed out everywhere.`)
    },
    enable: async ({ admin }, user) => {
      await admin.enableUser(confirmed(user).username)
      console.log(`${user.username} may sign in again.`)
    },
    'temporary-password': async ({ admin }, user) => {
      const password = temporaryPassword(systemRandom)
      await admin.setTemporaryPassword(confirmed(user).username, password)
      console.log(
        `${user.username} is signed out everywhere, and may sign in within 7 days, with this password:\n${password}`,
      )
    },
    'require-reset': async ({ admin }, user) => {
      await admin.requirePasswordReset(confirmed(user).username)
      console.log(`${user.username} is signed out everywhere, and must reset the password by mail.`)
    },
    'reset-link': async ({ directory }, { userId, username }, { PUBLIC_URL }) => {
      const code = await directory.makeResetCode(userId)
      if (code === undefined) {
        throw new Refusal(
          `${username} cannot reset a password: the account is disabled or not confirmed, or has a temporary password.`,
        )
      }
      // The part after # stays in the browser: no server or proxy logs it.
      console.log(`${PUBLIC_URL}/auth/reset-password#${new URLSearchParams({ username, code }).toString()}`)
    },
  }),
)

function confirmed(user: Entry): Entry {
  if (user.status === 'UNCONFIRMED') throw new Refusal(`${user.username} has not confirmed the sign-up yet.`)
  return user
}
