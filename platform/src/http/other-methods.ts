import type { FastifyInstance, HTTPMethods } from 'fastify'
import findMyWay from 'find-my-way'

import { MATCHING } from './kernel.ts'
import type { HttpEndpoint } from './mount.ts'
import { HttpProblem } from './problem.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const satisfies HTTPMethods[]

type Method = (typeof METHODS)[number]

/**
 * Answers 405 with `Allow` for a known path and a method without an endpoint. One route takes what no other does: a route for
 * each method of each path would take a third of the start.
 */
export function refuseOtherMethods(
  app: FastifyInstance,
  calls: readonly Pick<HttpEndpoint, 'method' | 'path'>[],
  problem: { type: string; message: string },
): void {
  const allowed = new Map<string, Set<Method>>()
  for (const { path, method } of calls) {
    const methods = allowed.get(path) ?? new Set()
    methods.add(method)
    if (method === 'GET') methods.add('HEAD')
    allowed.set(path, methods)
  }
  const taken = findMyWay(MATCHING)
  for (const [path, methods] of allowed) taken.on([...methods], path, () => undefined)
  // Built for the first call that has no route, because building it takes a hundredth of a start.
  let known: ReturnType<typeof findMyWay> | undefined
  const methodsOf = (path: string) => {
    if (known === undefined) {
      known = findMyWay(MATCHING)
      for (const [ofApi, methods] of allowed) known.on('GET', ofApi, () => undefined, methods)
    }
    return known.find('GET', path)?.store as ReadonlySet<Method> | undefined
  }
  const refuse = (methods: ReadonlySet<Method>): never => {
    throw new HttpProblem({ status: 405, ...problem, headers: { allow: [...methods].join(', ') } })
  }

  app.route({
    method: [...METHODS],
    url: '/*',
    // Before the body is read, because its content does not matter.
    onRequest: async (request, reply) => {
      const [path = ''] = request.url.slice(app.prefix.length).split('?')
      const methods = methodsOf(path)
      if (methods) refuse(methods)
      reply.callNotFound()
      return await reply
    },
    handler: (_request, reply) => {
      reply.callNotFound()
    },
  })
  // `GET /films/search` would be `GET /films/:filmId`.
  for (const [path, methods] of allowed) {
    const ofOthers = METHODS.filter(
      (method) => !methods.has(method) && taken.find(method, path.replaceAll(/:\w+/gu, 'any')) !== null,
    )
    const answer = async (): Promise<never> => await Promise.resolve(refuse(methods))
    if (ofOthers.length > 0) app.route({ method: ofOthers, url: path, onRequest: answer, handler: answer })
  }
}
