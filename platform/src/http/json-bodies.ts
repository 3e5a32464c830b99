import type { FastifyInstance } from 'fastify'

/**
 * Bodies are JSON and nothing else: any other content type is a 415. An empty body counts as none, since some clients
 * announce JSON on calls that send nothing.
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '') {
      done(null)
      return
    }
    void parse(request, body, done)
  })
}
