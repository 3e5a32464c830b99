import type { Redis } from 'ioredis'

import type { Random } from '../runtime/random.ts'
import { type EventBus, localEventBus } from './bus.ts'

const REDIS_CHANNEL = 'marquee:events'
/** Said to all after a time in which something may have been published in vain. */
const GAP = 'gap'

/**
 * Among all processes on one Redis; at once within this one, also while Redis is gone. Every process hears everything
 * and passes on what somebody there listens to, so that no event falls between the start of a subscription and Redis'
 * word for it. After an interruption on either side all are told that events may be missing.
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
  // Once subscribed, a connection that is made anew subscribes again before it is ready to be asked.
  await listener.subscribe(REDIS_CHANNEL)
  let isListening = true
  listener.on('close', () => {
    isListening = false
  })
  listener.on('ready', () => {
    // Asked on the same line, so answered after the subscription that went before.
    void listener.ping().then(() => {
      if (!isListening) local.missed()
      isListening = true
    }, ignore)
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
  }
}

/** The line broke again; the next one asks anew. */
function ignore(): void {}
