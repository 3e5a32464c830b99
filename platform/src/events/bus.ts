import { EventEmitter } from 'node:events'

/**
 * Tells everyone who listens on a channel, in this process or (with another implementation) in all. Nothing is kept: who
 * was away fetches again. `publish` never fails the caller. A channel's name has no space.
 */
export type EventBus = {
  publish: (channel: string, payload: string) => void
  /** Listens until the returned function is called. `onGap` is called whenever events may have been missed. */
  subscribe: (channel: string, listener: (payload: string) => void, onGap?: () => void) => () => void
}

const GAP = 'gap'

/** Within one process, at once. `missed` tells all listeners that events may be missing. */
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
