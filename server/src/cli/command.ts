import { parseArgs, type ParseArgsConfig } from 'node:util'

import type { Settings } from '../settings/settings.ts'

/** One command of the command line. */
export type Command = {
  /** Its syntax after `npm run marquee --`. */
  usage: string
  summary: string
  /** Errors whose message is for the operator: it is printed without a stack. */
  refusals: readonly (new (...args: never) => Error)[]
  run: (args: readonly string[], settings: Settings) => Promise<void>
}

/** The arguments of the command are wrong. */
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
