import { type Command, Misuse } from './command.ts'
import { countRows } from './stats-store.ts'
import { withInstance } from './with-instance.ts'

/** Prints how much data there is. */
export const stats: Command = {
  usage: 'stats',
  summary: 'Counts users, watchlists, cards, comments and mails that wait. Reads all of them: not for every minute.',
  run: async (args, settings) => {
    if (args.length > 0) throw new Misuse('stats takes no arguments.')
    await withInstance(settings, async ({ database, identity }) => {
      const { all, confirmed, disabled } = await identity.directory.count()
      const counts = { users: all, 'confirmed users': confirmed, 'disabled users': disabled }
      const lines = Object.entries({ ...counts, ...(await countRows(database)) })
      for (const [what, count] of lines) console.log(`${what}: ${count}`)
    })
  },
}
