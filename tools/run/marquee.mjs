import { pinnedNode } from './dependencies.mjs'
import { exitOf, forwardSignals, start } from './process.mjs'

/** `npm run marquee -- COMMAND …`: what an operator does from the command line. */
export async function run(args) {
  const command = start(pinnedNode, ['server/src/cli/marquee.ts', ...args])
  forwardSignals([command])
  return await exitOf(command)
}
