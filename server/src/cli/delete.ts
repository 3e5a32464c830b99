import { createInterface } from 'node:readline/promises'

import { type Command, Misuse, readOptions } from './command.ts'
import { Refused, REFUSALS, requireUser, withInstance } from './with-instance.ts'

/** Deletes an account, as its owner could. */
export const deleteAccount: Command = {
  usage: 'delete USER [--yes]',
  summary: 'Deletes an account with everything that is kept of the person. Asks for the name first, unless --yes.',
  refusals: REFUSALS,
  run: async (args, settings) => {
    const { name, yes } = readArguments(args)
    await withInstance(settings, async ({ identity }) => {
      const user = await requireUser(identity, name)
      if (!yes && (await ask(`Type ${user.username} to delete that account for ever: `)) !== user.username) {
        throw new Refused('Nothing was deleted.')
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

function readArguments(args: readonly string[]): { name: string; yes: boolean } {
  const { values, positionals } = readOptions(args, {
    allowPositionals: true,
    options: { yes: { type: 'boolean', default: false } },
  })
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0) throw new Misuse('Name one user.')
  return { name, yes: values.yes }
}
