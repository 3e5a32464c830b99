import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

import { wasRefused } from '../http/kernel.ts'
import { whenReplyEnds } from '../http/reply-end.ts'
import { isClientAbort } from '../http/unreadable-request.ts'
import { outageIn, placeOfOutage } from '../runtime/outage.ts'

/** In seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export type Metrics = {
  /** Counts and times the requests of a server. Call it before the routes are added. */
  observe: (app: FastifyInstance) => void
  /** Adds a number that is read whenever the metrics are read. */
  addGauge: (name: string, help: string, read: () => Promise<number> | number) => void
  /** Adds a number that only grows, per value of a label. The label must have few values. */
  addCounter: (name: string, help: string, label: string) => (value: string) => void
  /** All metrics in the text format of Prometheus. */
  print: () => Promise<{ type: string; text: string }>
}

/** The metrics of this process: memory, CPU and event loop from the start, others as they are added. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const addCounter: Metrics['addCounter'] = (name, help, label) => {
    const counter = new Counter({ name, help, labelNames: [label], registers })
    return (value) => {
      counter.inc({ [label]: value })
    }
  }
  return {
    observe: observer(registers, addCounter),
    addGauge: (name, help, read) => {
      const gauge: Gauge = new Gauge({
        name,
        help,
        registers,
        collect: async () => {
          try {
            gauge.set(await read())
          } catch {
            // A value that cannot be read, as in an outage, is left out. The others matter most then.
            gauge.remove()
          }
        },
      })
    },
    addCounter,
    print: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  }
}

function observer(registers: Registry[], addCounter: Metrics['addCounter']): Metrics['observe'] {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by method, route template and status, and how long they took',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers,
  })
  const open = new Gauge({
    name: 'http_requests_in_progress',
    help: 'Requests under way by route template; those of an event stream last as long as it is open',
    labelNames: ['route'],
    registers,
  })
  const countOutage = addCounter(
    'outages_met_total',
    'Requests that failed because something else did not answer',
    'of',
  )
  const countAbort = addCounter('client_aborts_total', 'Requests whose client went away before it was done', 'during')
  const countRefusal = addCounter('requests_refused_total', 'Requests that got 503 because the server is busy', 'route')
  /** Not a closure over the request, because an event stream holds the function until its end. */
  const endOf = (labels: { method: string; route: string; status: string }, tookMs: number) => {
    const closedAt = performance.now()
    return () => {
      open.dec({ route: labels.route })
      durations.observe(labels, (tookMs + performance.now() - closedAt) / 1000)
    }
  }
  return (app) => {
    app.addHook('onError', async (request, _reply, error) => {
      if (isClientAbort(request, error)) return
      const outage = outageIn(error)
      if (outage) countOutage(placeOfOutage(outage))
    })
    app.addHook('onRequest', async (request, reply) => {
      // Only the template: parameters may be secret, and their number is unlimited.
      const route = request.routeOptions.url ?? 'none'
      open.inc({ route })
      // Emitted once, also when the client goes away.
      reply.raw.once('close', () => {
        if (wasRefused(request)) countRefusal(route)
        const during = abortedDuring(request, reply)
        if (during !== undefined) countAbort(during)
        const labels = { method: request.method, route, status: String(reply.statusCode) }
        whenReplyEnds(reply.raw, endOf(labels, reply.elapsedTime))
      })
    })
  }
}

/** An event stream ends when its reader leaves, so that does not count as an abort. */
function abortedDuring({ raw }: FastifyRequest, reply: FastifyReply): 'request' | 'reply' | undefined {
  const isStream = String(reply.getHeader('content-type')).startsWith('text/event-stream')
  if (reply.raw.writableFinished || isStream) return undefined
  return raw.complete ? 'reply' : 'request'
}
