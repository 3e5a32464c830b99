import { pinnedNode } from './dependencies.mjs'
import { exitOf, forwardSignals, start } from './process.mjs'
import { SERVER, SERVER_ENV } from './server-process.mjs'
import { ensureWebBuild } from './web-build.mjs'

/** `npm start`: builds the web app if it changed, and runs the server. */
export async function run() {
  if (!(await ensureWebBuild())) return 1
  console.log('Starting Marquee. Ctrl+C stops it.')
  const server = start(pinnedNode, SERVER, { env: SERVER_ENV, linked: true })
  forwardSignals([server])
  return await exitOf(server)
}
