import type { Redis } from 'ioredis'

import type { Random } from '../runtime/random.ts'
import { type EventBus, localEventBus } from './bus.ts'

const REDIS_CHANNEL = 'marquee:events'
/** Published after a time in which events may have been lost. */
const GAP = 'gap'

/**
 * Delivers to all processes on one Redis, and within this process synchronously, even without Redis. Every process
 * subscribes to one Redis channel and filters events itself, so no event is lost between the start of a subscription and
 * its confirmation. After an interruption on either side, every listener's `onGap` is called.
 */
export async function redisEventBus(
  { commands, listener }: { commands: Redis; listener: Redis },
  random: Random,
): Promise<EventBus> {
  const local = localEventBus()
  const self = random.uuid()
  let wasInVain = false

  const tell = (message: string): void => {
    commands.publish(REDIS_CHANNEL, `${self} ${message}`).catch(() => {
      wasInVain = true
    })
  }
  listener.on('message', (_channel: string, message: string) => {
    const [from, channel = '', ...rest] = message.split(' ')
    if (from === self) return
    if (channel === GAP) local.missed()
    else local.publish(channel, rest.join(' '))
  })
  let isListening = false
  const listen = async (): Promise<void> => {
    await listener.subscribe(REDIS_CHANNEL)
    isListening = true
    // Events from before may have been missed.
    local.missed()
  }
  await listen()
  listener.on('close', () => {
    isListening = false
  })
  listener.on('ready', () => {
    listen().catch(() => {
      // Without a connection, the next one subscribes.
      if (listener.status === 'ready') listener.disconnect(true)
    })
  })
  commands.on('ready', () => {
    if (!wasInVain) return
    wasInVain = false
    tell(GAP)
  })

  return {
    ...local,
    publish: (channel, payload) => {
      local.publish(channel, payload)
      tell(`${channel} ${payload}`)
    },
    quietMs: (channel) => (isListening ? local.quietMs(channel) : 0),
  }
}
