import type { Settings } from '../settings.ts'

/** One thing an operator can do from the command line. */
export type Command = {
  /** As it is typed after `npm run marquee --`. */
  usage: string
  summary: string
  /** Errors whose message is for the operator: it is printed alone, without a stack. */
  refusals: readonly (new (message: string) => Error)[]
  run: (args: readonly string[], settings: Settings) => Promise<void>
}

/** The command was called in a way it does not know. */
export class Misuse extends Error {
  override readonly name = 'Misuse'
}
