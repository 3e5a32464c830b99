import { EventEmitter } from 'node:events'

/**
 * Sends events to the listeners of a channel, in this process or, with another implementation, in all processes. Events
 * are not stored: a listener that was disconnected fetches again. `publish` never throws. A channel name has no space.
 */
export type EventBus = {
  publish: (channel: string, payload: string) => void
  /** Listens until the returned function is called. `onGap` is called when events may have been missed. */
  subscribe: (channel: string, listener: (payload: string) => void, onGap?: () => void) => () => void
}

const GAP = 'gap'

/** Delivers within one process, synchronously. `missed` calls `onGap` of all listeners. */
export function localEventBus(): EventBus & { missed: () => void } {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  return {
    publish: (channel, payload) => {
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
    missed: () => {
      emitter.emit(GAP)
    },
  }
}
