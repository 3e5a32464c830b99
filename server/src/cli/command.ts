import { parseArgs, type ParseArgsConfig } from 'node:util'

import type { Settings } from '../settings/settings.ts'

/** One command of the command line. */
export type Command = {
  /** Its syntax after `npm run marquee --`. */
  usage: string
  summary: string
  run: (args: readonly string[], settings: Settings) => Promise<void>
}

/** The arguments of the command are wrong: its usage is printed as well. */
export class Misuse extends Error {
  override readonly name = 'Misuse'
}

/** Node's `parseArgs`. @throws Misuse */
export function readOptions<const T extends ParseArgsConfig>(
  args: readonly string[],
  config: T,
): ReturnType<typeof parseArgs<T & { args: string[] }>> {
  try {
    return parseArgs({ ...config, args: [...args] })
  } catch (error) {
    if (error instanceof TypeError) throw new Misuse(error.message)
    throw error
  }
}

/** The names among the arguments, and which of the flags they have. @throws Misuse */
export function readNames<const Flag extends string>(args: readonly string[], flags: readonly Flag[]) {
  const options = Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' as const }]))
  const { values, positionals } = readOptions(args, { allowPositionals: true, options })
  return { names: positionals, has: (flag: Flag) => values[flag] === true }
}

/** The same with one name. @throws Misuse with this sentence if there are more, or none */
export function readName<const Flag extends string>(args: readonly string[], flags: readonly Flag[], sentence: string) {
  const { names, has } = readNames(args, flags)
  const [name, ...more] = names
  if (name === undefined || more.length > 0) throw new Misuse(sentence)
  return { name, has }
}
