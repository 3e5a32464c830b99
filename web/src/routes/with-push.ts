import { logWarning } from '#web/api/log.ts'

/** Without a connection, a user who signs out does not wait longer. */
const AT_MOST_MS = 3_000

/** Does something about the push messages of this browser, whose code is loaded only if the user has allowed them. */
export async function withPush(what: 'turnPushOff' | 'resumePush'): Promise<void> {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
  try {
    const push = await import('#web/features/news/notifications/push.ts')
    await Promise.race([push[what](), new Promise((resolve) => setTimeout(resolve, AT_MOST_MS))])
  } catch (error) {
    logWarning('The push messages to this device could not be changed', error)
  }
}
