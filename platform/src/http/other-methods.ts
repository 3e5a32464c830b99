import type { FastifyInstance, HTTPMethods } from 'fastify'

import type { HttpEndpoint } from './mount.ts'
import { HttpProblem } from './problem.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const satisfies HTTPMethods[]

/** Answers 405 with `Allow` for a known path and a method without an endpoint. */
export function refuseOtherMethods(
  app: FastifyInstance,
  endpoints: readonly HttpEndpoint[],
  problem: { type: string; message: string },
): void {
  const allowed = new Map<string, Set<string>>()
  for (const { path, method } of endpoints) {
    const methods = allowed.get(path) ?? new Set()
    methods.add(method)
    if (method === 'GET') methods.add('HEAD')
    allowed.set(path, methods)
  }
  for (const [path, methods] of allowed) {
    const refuse = async (): Promise<never> => {
      throw new HttpProblem({ status: 405, ...problem, headers: { allow: [...methods].join(', ') } })
    }
    app.route({
      method: METHODS.filter((method) => !methods.has(method)),
      url: path,
      // Before the body is read, because its content does not matter.
      onRequest: refuse,
      handler: refuse,
    })
  }
}
