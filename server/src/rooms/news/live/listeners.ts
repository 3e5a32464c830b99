/** The listeners of each channel. They share one subscription, which begins with the first and ends with the last. */
export type Listeners<L> = {
  add: (channel: string, listener: L) => void
  remove: (channel: string, listener: L) => void
}

export function listenersOf<L>(subscribe: (channel: string, listeners: ReadonlySet<L>) => () => void): Listeners<L> {
  const channels = new Map<string, { readonly listeners: Set<L>; readonly stop: () => void }>()
  return {
    add: (channel, listener) => {
      const known = channels.get(channel)
      if (known) return void known.listeners.add(listener)
      const listeners = new Set([listener])
      channels.set(channel, { listeners, stop: subscribe(channel, listeners) })
    },
    remove: (channel, listener) => {
      const known = channels.get(channel)
      known?.listeners.delete(listener)
      if (known?.listeners.size !== 0) return
      channels.delete(channel)
      known.stop()
    },
  }
}
