import { EventEmitter } from 'node:events'

/**
 * Sends events to the listeners of a channel, in this process or, with another implementation, in all processes. Events
 * are not stored: a listener that was disconnected fetches again. `publish` never throws. A channel name has no space.
 */
export type EventBus = {
  publish: (channel: string, payload: string) => void
  /** Listens until the returned function is called. `onGap` is called when events may have been missed. */
  subscribe: (channel: string, listener: (payload: string) => void, onGap?: () => void) => () => void
  /** For at least this many milliseconds the channel has had no event. 0 while events may be missed. */
  quietMs: (channel: string) => number
}

const GAP = 'gap'
/** For how many channels the time of the last event is known. It takes about a megabyte. */
const CHANNELS_KNOWN = 5_000

/**
 * Delivers within one process, synchronously. `missed` calls `onGap` of all listeners. `now` is a time in milliseconds that
 * only grows.
 */
export function localEventBus(now = () => performance.now()): EventBus & { missed: () => void } {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  /** The time of the last event of each channel, oldest first. All other channels have had none since `knownSince`. */
  const lastAt = new Map<string, number>()
  let knownSince = now()

  const note = (channel: string): void => {
    lastAt.delete(channel)
    lastAt.set(channel, now())
    if (lastAt.size <= CHANNELS_KNOWN) return
    const [[oldest, at] = ['', 0]] = lastAt
    lastAt.delete(oldest)
    knownSince = at
  }

  return {
    publish: (channel, payload) => {
      note(channel)
      emitter.emit(`channel:${channel}`, payload)
    },
    subscribe: (channel, listener, onGap) => {
      emitter.on(`channel:${channel}`, listener)
      if (onGap) emitter.on(GAP, onGap)
      return () => {
        emitter.off(`channel:${channel}`, listener)
        if (onGap) emitter.off(GAP, onGap)
      }
    },
    quietMs: (channel) => now() - (lastAt.get(channel) ?? knownSince),
    missed: () => {
      lastAt.clear()
      knownSince = now()
      emitter.emit(GAP)
    },
  }
}
