import { once } from 'node:events'
import { createServer } from 'node:http'

import type { Logger } from '../runtime/logger.ts'
import type { Metrics } from './metrics.ts'

/** Serves `/metrics` on its own port, which must not be public. Returns the function that closes it. */
export async function serveMetrics(
  metrics: Pick<Metrics, 'print'>,
  { port, host, logger }: { port: number; host: string; logger: Logger },
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end()
      return
    }
    metrics.print().then(
      ({ type, text }) => response.writeHead(200, { 'content-type': type }).end(text),
      (error: unknown) => {
        logger.error({ err: error }, 'the metrics could not be read')
        response.writeHead(500).end()
      },
    )
  })
  server.listen(port, host)
  await once(server, 'listening')
  return async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
}
