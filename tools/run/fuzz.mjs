import { pinnedNode } from './dependencies.mjs'
import { exitOf, forwardSignals, start } from './process.mjs'

/** `npm run fuzz -- --seed N --requests N`: hostile requests to every endpoint of a real server. */
export async function run(args) {
  const command = start(pinnedNode, ['server/src/testing/fuzz/main.ts', ...args])
  forwardSignals([command])
  return await exitOf(command)
}
