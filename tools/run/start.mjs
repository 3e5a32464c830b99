import { pinnedNode } from './dependencies.mjs'
import { exitOf, forwardSignals, start } from './process.mjs'
import { SERVER, SERVER_ENV } from './server-process.mjs'
import { ensureWebBuild } from './web-build.mjs'

/** `npm start`: the whole product on this machine. */
export async function run() {
  if (!(await ensureWebBuild())) return 1
  const server = start(pinnedNode, SERVER, { env: SERVER_ENV })
  forwardSignals([server])
  return await exitOf(server)
}
