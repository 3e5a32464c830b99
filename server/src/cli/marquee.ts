import { Refusal } from '@marquee/platform/runtime/refusal'

import { closeToOthers, keepFilesPrivate } from '../data-dir.ts'
import { readServerSettings } from '../settings/settings.ts'
import { explainStartFailure } from '../start-failure.ts'
import { backup } from './backup.ts'
import { catalogue } from './catalogue.ts'
import { type Command, Misuse } from './command.ts'
import { deleteAccount } from './delete.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { exportUser } from './export.ts'
import { images } from './images.ts'
import { keys } from './keys.ts'
import { mail } from './mail.ts'
import { media } from './media.ts'
import { move } from './move.ts'
import { resetInstallationId } from './reset-installation-id.ts'
import { restore } from './restore.ts'
import { stats } from './stats.ts'
import { users } from './users.ts'

const COMMANDS: Readonly<Record<string, Command>> = {
  users,
  stats,
  export: exportUser,
  delete: deleteAccount,
  keys,
  images,
  backup,
  restore,
  move,
  'reset-installation-id': resetInstallationId,
  catalogue,
  media,
  demo,
  mail,
}

/**
 * `npm run marquee -- COMMAND …`: the commands of an operator, which work beside a running server. Returns the exit code, 2
 * for wrong arguments.
 */
export async function runCommand(
  [name = 'help', ...rest]: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  // It has no preconditions: the settings may be wrong, and it does not close the data folder to others.
  if (name === 'doctor') {
    if (rest.length === 0) return await doctor.run(environment)
    console.error(`This command takes no arguments.\n\nUsage: npm run marquee -- ${doctor.usage}`)
    return 2
  }
  if (!command) {
    const isAsked = name === 'help' || name === '--help'
    const print = isAsked ? console.log : console.error
    print(isAsked ? usage() : `There is no command ${name}.\n\n${usage()}`)
    return isAsked ? 0 : 2
  }
  let settings
  try {
    settings = readServerSettings(environment)
    await closeToOthers(settings.DATA_DIR, console.error)
    await command.run(rest, settings)
    return 0
  } catch (error) {
    if (error instanceof Misuse) {
      console.error(`${error.message}\n\nUsage: npm run marquee -- ${command.usage}`)
      return 2
    }
    const sentence = error instanceof Refusal ? error.message : settings && explainStartFailure(error, settings)
    console.error(sentence ?? error)
    return 1
  }
}

function usage(): string {
  const lines = [...Object.values(COMMANDS), doctor].map(
    (command) => `  npm run marquee -- ${command.usage}\n      ${command.summary}`,
  )
  return `Settings are those of the server, from the environment.\n\n${lines.join('\n')}`
}

if (import.meta.main) {
  keepFilesPrivate()
  const code = await runCommand(process.argv.slice(2), process.env)
  // A failed command may have left a connection open, which would keep the process alive.
  if (code === 0) process.exitCode = 0
  else process.exit(code)
}
