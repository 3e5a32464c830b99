import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Database } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'

import type { AmazonPool } from '../flows/amazon/addresses.ts'
import type { IdentityPorts } from '../index.ts'
import { aPool, type RunningPool } from './a-pool.ts'

export const ADMIN_KEY = { accessKeyId: 'AKIDMARQUEETEST', secretAccessKey: 'a secret/with+signs' }

/** The built-in pool on its own port in place of Amazon's, with a network that can fail. */
export type StandIn = {
  pool: RunningPool
  amazon: AmazonPool
  endpoint: string
  /** Drops requests whose operation or path matches; `undefined` ends the outage. */
  cut: (what: RegExp | undefined) => void
  /** The operations, or paths, that were called so far. */
  asked: () => readonly string[]
  close: () => Promise<void>
}

export async function aStandIn(
  database: Database<unknown>,
  { clock, masterKey, settings = {} }: { clock?: Clock; masterKey?: Buffer; settings?: Partial<IdentityPorts> } = {},
): Promise<StandIn> {
  const asked: string[] = []
  let broken: RegExp | undefined
  let pool: RunningPool | undefined
  const server = createServer((request, response) => {
    void (async () => {
      const { method = 'GET', url = '/', headers } = request
      const name = String(headers['x-amz-target'] ?? url).replace(/^.*\./u, '')
      asked.push(name)
      if (broken?.test(name) === true || !pool) {
        response.destroy()
        return
      }
      const payload = await bodyOf(request)
      const reply = await pool.app.inject({ method: method as 'GET' | 'POST', url, headers, payload })
      response.writeHead(reply.statusCode, reply.headers as Record<string, string>).end(reply.rawPayload)
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const running = await aPool(database, {
    ...(clock && { clock }),
    ...(masterKey && { masterKey }),
    settings: { publicUrl, adminKey: ADMIN_KEY, ...settings },
  })
  pool = running
  const { userPoolId, userPoolClientId: clientId, userPoolEndpoint: endpoint } = running.identity.pool
  return {
    pool: running,
    amazon: { region: 'us-east-1', userPoolId, clientId, endpoint },
    endpoint,
    cut: (what) => {
      broken = what
    },
    asked: () => asked,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await running.close()
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
