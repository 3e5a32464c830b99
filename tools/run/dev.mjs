import process from 'node:process'

import { pinnedNode } from './dependencies.mjs'
import { exitOf, forwardSignals, start } from './process.mjs'

/** `npm run dev`: the server restarts and the page updates when a source changes. */
export async function run() {
  const port = process.env.PORT ?? '3000'
  const apiPort = process.env.API_PORT ?? String(Number(port) + 1)
  const env = { PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${port}` }
  const server = start(pinnedNode, ['--watch', '--watch-preserve-output', 'server/src/main.ts'], {
    env: { ...env, PORT: apiPort },
  })
  const web = start('vite', ['--port', port, '--strictPort'], { folder: 'web', env: { ...env, API_PORT: apiPort } })
  const children = [server, web]
  forwardSignals(children)
  const code = await Promise.race(children.map(exitOf))
  for (const child of children) child.kill()
  return code
}
