import type { Entry, Identity } from '@marquee/identity'
import { systemRandom } from '@marquee/platform/runtime/random'

import { type Command, Misuse } from './command.ts'
import { orRefused, temporaryPassword } from './temporary-password.ts'
import { ACTIONS } from './user-actions.ts'
import { requireUser, withInstance } from './with-instance.ts'

/** Manages the users of an instance. */
export const users: Command = {
  usage: [
    'users list | create USERNAME EMAIL | find NAME | confirm NAME | disable NAME | enable NAME | reset-link NAME |',
    'temporary-password NAME | require-reset NAME',
  ].join('\n      '),
  summary: [
    'NAME is a username, an address or an id. confirm: takes the address of a sign-up as proven.',
    'disable: ends all sessions and blocks sign-in. reset-link: prints a link, valid once and for an hour,',
    'with which a user without mail sets a new password. For example: users reset-link ana',
    'create, temporary-password: print a password, good for 7 days to sign in once and choose another.',
    'require-reset: the password opens nothing any more until it is reset by mail.',
  ].join('\n      '),
  run: async ([action = '', ...args], settings) => {
    const [name = '', email = ''] = args
    const act = ACTIONS.get(action)
    const general = GENERAL.get(action)
    if (action === '') throw new Misuse('Say what to do, and with whom.')
    if (!act && !general) throw new Misuse(`users cannot ${action}.`)
    if (args.length !== (general?.args ?? 1)) throw new Misuse('Name exactly one user.')
    await withInstance(settings, async ({ identity }) => {
      if (act) await act(identity, await requireUser(identity, name), settings)
      else await general?.run(identity, { username: name, email })
    })
  },
}

/** An action without an existing user, and its number of arguments. */
type GeneralAction = {
  args: number
  run: (identity: Identity, made: { username: string; email: string }) => Promise<void>
}

const GENERAL = new Map(
  Object.entries<GeneralAction>({
    list: {
      args: 0,
      run: async ({ directory }) => {
        for await (const user of directory.list()) console.log(lineOf(user))
      },
    },
    create: {
      args: 2,
      run: async ({ admin }, made) => {
        const password = temporaryPassword(systemRandom)
        await orRefused(async () => await admin.createUser({ ...made, temporaryPassword: password }))
        console.log(`${made.username} may sign in as ${made.email} within 7 days, with this password:\n${password}`)
      },
    },
  }),
)

function lineOf({ username, userId, status, isEnabled, signedInAt }: Entry): string {
  const last = signedInAt === null ? 'never signed in' : `signed in ${signedInAt}`
  return [username, userId, isEnabled ? status : `${status} (disabled)`, last].join('\t')
}
