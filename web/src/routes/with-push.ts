import { logWarning } from '#web/api/log.ts'

/** Does something about the push messages of this browser, whose code is loaded only if the user has allowed them. */
export async function withPush(what: 'leavePush' | 'resumePush'): Promise<void> {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
  try {
    const push = await import('#web/features/notifications/push.ts')
    await push[what]()
  } catch (error) {
    logWarning('The push messages to this device could not be changed', error)
  }
}
