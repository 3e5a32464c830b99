import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { aPng } from './png.ts'

/**
 * Answers each request to http://posters.example.org with a poster; gone.example.org does not resolve. The returned
 * argument tells Chromium so. Playwright's routes would handle every request of the page and turn off the browser's
 * cache.
 */
export async function startPosterHost(): Promise<{ browserArgument: string; stop: () => void }> {
  const poster = aPng()
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).end(poster)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const rules = `MAP posters.example.org:80 127.0.0.1:${port}, MAP gone.example.org ~NOTFOUND`
  return {
    browserArgument: `--host-resolver-rules=${rules}`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
