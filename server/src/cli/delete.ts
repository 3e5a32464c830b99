import { createInterface } from 'node:readline/promises'

import { Refusal } from '@marquee/platform/runtime/refusal'

import { type Command, readName } from './command.ts'
import { requireUser, withInstance } from './with-instance.ts'

/** Deletes an account, as its owner could. */
export const deleteAccount: Command = {
  usage: 'delete USER [--yes]',
  summary: 'Deletes an account with everything that is kept of the person. Asks for the name first, unless --yes.',
  run: async (args, settings) => {
    const { name, has } = readName(args, ['yes'], 'Name one user.')
    await withInstance(settings, async ({ identity }) => {
      const user = await requireUser(identity, name)
      if (!has('yes') && (await ask(`Type ${user.username} to delete that account for ever: `)) !== user.username) {
        throw new Refusal('Nothing was deleted.')
      }
      await identity.directory.remove(user.userId)
      console.log(`${user.username} is deleted.`)
    })
  },
}

/** The typed line; empty if the input is not a terminal. */
async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const ended = new Promise<string>((resolve) => {
    terminal.once('close', () => {
      resolve('')
    })
  })
  try {
    return await Promise.race([terminal.question(question), ended])
  } finally {
    terminal.close()
  }
}
