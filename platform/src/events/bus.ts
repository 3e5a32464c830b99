import { EventEmitter } from 'node:events'

/**
 * Tells everyone who listens on a channel, in this process or (with another implementation) in all. Nothing is kept: who
 * was away fetches again. `publish` never fails the caller.
 */
export type EventBus = {
  publish: (channel: string, payload: string) => void
  /** Listens until the returned function is called. */
  subscribe: (channel: string, listener: (payload: string) => void) => () => void
}

/** Within one process, at once. */
export function localEventBus(): EventBus {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  return {
    publish: (channel, payload) => {
      emitter.emit(`channel:${channel}`, payload)
    },
    subscribe: (channel, listener) => {
      emitter.on(`channel:${channel}`, listener)
      return () => {
        emitter.off(`channel:${channel}`, listener)
      }
    },
  }
}
