const CHANNEL = 'marquee.account-confirmed'

/** Tells the other tabs of this browser that a mailed link has confirmed an account. */
export function announceConfirmed(username: string): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(username)
  channel.close()
}

/** Calls back with the username of each account that another tab confirms. Returns the function that stops it. */
export function onConfirmed(callback: (username: string) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string') callback(data)
  })
  return () => channel.close()
}
