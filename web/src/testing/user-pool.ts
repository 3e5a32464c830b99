/// <reference types="node" />
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { configureAmplify } from '#web/account/amplify-account.ts'

export type PoolRequest = { operation: string; body: Record<string, unknown> }
export type PoolAnswer = { status: 200 | 400; body: Record<string, unknown> }

/** A refusal of the identity service: HTTP 400 with the name and message of the error. */
export function refusal(name: string, message: string): PoolAnswer {
  return { status: 400, body: { __type: name, message } }
}

/**
 * A fake user pool for screens that need one particular answer, or none. The unmodified Amplify client talks to it over HTTP.
 * The real pool is tested in `identity` and in the journeys.
 */
export async function startUserPool(answer: (request: PoolRequest) => PoolAnswer | 'never') {
  const requests: PoolRequest[] = []
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? ''
      const asked = { operation, body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown> }
      requests.push(asked)
      const reply = answer(asked)
      if (reply === 'never') return
      const { status, body } = reply
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
      response.end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const config = {
    userPoolId: 'us-east-1_AbC123xyz',
    userPoolClientId: '4nq0testclient',
    userPoolEndpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/identity/`,
  }
  configureAmplify(config)
  return {
    config,
    requests,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A token with these claims. Nothing here verifies its signature. */
export function aToken(claims: object): string {
  const parts = ['{"alg":"none"}', JSON.stringify(claims), 'signature']
  return parts.map((part) => Buffer.from(part).toString('base64url')).join('.')
}

/** A fake user pool that answers each sign-in with tokens of these claims, and operations named `silent` never. */
export async function startPoolOf(claims: object, silent?: string) {
  const token = aToken(claims)
  const tokens = { IdToken: token, AccessToken: token, RefreshToken: 'r', TokenType: 'Bearer' }
  return await startUserPool(({ operation }) =>
    operation === silent ? 'never' : { status: 200, body: { AuthenticationResult: tokens } },
  )
}
