import type { Entry, Identity } from '@marquee/identity'

import type { Settings } from '../settings.ts'
import { type Command, Misuse } from './command.ts'
import { requireUser } from './require-user.ts'
import { Refused, REFUSALS, withInstance } from './with-instance.ts'

/** Looks after the people of an instance. */
export const users: Command = {
  usage: 'users list | find NAME | confirm NAME | disable NAME | enable NAME | reset-link NAME',
  summary: [
    'NAME is a username, an address or an id. confirm: takes the address of a sign-up as proven.',
    'disable: ends all sign-ins and lets nobody in any more. reset-link: prints a link, good once and for an hour,',
    'with which somebody without mail sets a new password. For example: users reset-link ana',
  ].join('\n      '),
  refusals: REFUSALS,
  run: async ([action = '', name, ...more], settings) => {
    const isList = action === 'list'
    if (more.length > 0 || (name === undefined) !== isList) throw new Misuse('Say what to do, and with whom.')
    const act = isList ? undefined : ACTIONS.get(action)
    if (!isList && !act) throw new Misuse(`users cannot ${action}.`)
    await withInstance(settings, async ({ identity }) => {
      if (act) await act(identity, await requireUser(identity, name ?? ''), settings)
      else for await (const user of identity.directory.list()) console.log(lineOf(user))
    })
  },
}

type Action = (identity: Identity, user: Entry, settings: Settings) => Promise<void>

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  [
    'find',
    async (_identity, user) => {
      await Promise.resolve()
      for (const [label, value] of Object.entries(user)) console.log(`${label}: ${String(value)}`)
    },
  ],
  [
    'confirm',
    async ({ directory }, { userId, username }) => {
      const hindrance = await directory.confirm(userId)
      if (hindrance === 'not-waiting') throw new Refused(`${username} is confirmed already.`)
      if (hindrance === 'address-taken') throw new Refused('Another account has proven that address.')
      console.log(`${username} is confirmed and may sign in.`)
    },
  ],
  [
    'disable',
    async ({ admin }, user) => {
      await admin.disableUser(confirmed(user).username)
      console.log(`${user.username} is disabled, and signed out everywhere.`)
    },
  ],
  [
    'enable',
    async ({ admin }, user) => {
      await admin.enableUser(confirmed(user).username)
      console.log(`${user.username} may sign in again.`)
    },
  ],
  [
    'reset-link',
    async ({ directory }, { userId, username }, { PUBLIC_URL }) => {
      const code = await directory.makeResetCode(userId)
      if (code === undefined) {
        throw new Refused(`${username} cannot reset a password: the account is disabled or not confirmed.`)
      }
      // The part after # stays in the browser: no server or proxy logs it.
      console.log(`${PUBLIC_URL}/auth/reset-password#${new URLSearchParams({ username, code }).toString()}`)
    },
  ],
])

function confirmed(user: Entry): Entry {
  if (user.status === 'UNCONFIRMED') throw new Refused(`${user.username} has not confirmed the sign-up yet.`)
  return user
}

function lineOf({ username, userId, status, isEnabled, signedInAt }: Entry): string {
  const last = signedInAt === null ? 'never signed in' : `signed in ${signedInAt}`
  return [username, userId, isEnabled ? status : `${status} (disabled)`, last].join('\t')
}
