import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { once } from 'node:events'

import type { LiveEvent } from '@marquee/contract/live-events'

const PATIENCE_MS = 5_000

export type OpenStream = {
  status: number
  answer: IncomingMessage
  /** The next unread event of the watchlist; rejects if the stream ends first, or after five seconds. */
  next: () => Promise<LiveEvent>
  /** The next event about notifications, which are made a while after what they are about. */
  nextNotice: () => Promise<LiveEvent>
  /** How many heartbeats have arrived. The server sends the first after 20 seconds. */
  heartbeats: () => number
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>
  leave: () => void
}

/** Connects to an event stream over the network, as a browser does; without a token as a guest. */
export async function openStream(url: string, token?: string): Promise<OpenStream> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const client: ClientRequest = request(url, { headers, agent: false }).end()
  const [answer] = (await once(client, 'response')) as [IncomingMessage]
  client.on('error', () => undefined)
  const events: LiveEvent[] = []
  const notices: LiveEvent[] = []
  const waiting: (() => void)[] = []
  let heartbeats = 0
  const ended = new Promise<void>((resolve) => {
    answer.once('close', resolve)
  })
  let text = ''
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const messages = text.split('\n\n')
    text = messages.pop() ?? ''
    for (const message of messages) {
      if (message.startsWith(':')) heartbeats += 1
      if (!message.startsWith('data: ')) continue
      const event = JSON.parse(message.slice('data: '.length)) as LiveEvent
      const queue = event.kind === 'notifications-changed' ? notices : events
      queue.push(event)
    }
    for (const wake of waiting.splice(0)) wake()
  })
  const take = async (queue: LiveEvent[]): Promise<LiveEvent> => {
    const given = AbortSignal.timeout(PATIENCE_MS)
    while (queue.length === 0) {
      const arrived = Promise.withResolvers<void>()
      waiting.push(arrived.resolve)
      given.addEventListener('abort', () => {
        arrived.reject(new Error('No event arrived in time'))
      })
      void ended.then(() => {
        arrived.reject(new Error('The stream ended'))
      })
      await arrived.promise
    }
    const [event] = queue.splice(0, 1)
    if (!event) throw new Error('There is no event')
    return event
  }
  return {
    status: answer.statusCode ?? 0,
    answer,
    heartbeats: () => heartbeats,
    ended,
    leave: () => client.destroy(),
    next: async () => await take(events),
    nextNotice: async () => await take(notices),
  }
}
