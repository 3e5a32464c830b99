import { useState } from 'react'
import { useNavigate } from 'react-router'

import { logWarning } from '#web/api/log.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { forgetDrafts, useDraftsUntilSignOut } from '#web/session/drafts.ts'
import { features } from '#web/config.ts'
import { rememberHostedTarget, takeExternalMark } from '#web/session/hosted-sign-in.ts'
import { useSession } from '#web/session/use-session.ts'

import { LeaveQuestion } from './lazy-leave-question.tsx'
import { withPush } from './with-push.ts'

/** Before the next screen, so that no one else finds anything here. */
async function emptyDevice(userId: string | undefined): Promise<void> {
  try {
    const [{ forgetDevice }, { forgetItems }] = await Promise.all([
      import('#web/offline/forget-device.ts'),
      import('#web/offline/outbox/store.ts'),
    ])
    await Promise.all([forgetDevice(), userId !== undefined && forgetItems(userId)])
  } catch (error) {
    logWarning('This device could not be emptied', error)
  }
}

/** Few sessions began at a provider. */
async function leaveProvider(): Promise<string | null> {
  const { externalSignOut } = await import('#web/api/external-sign-in.ts')
  return externalSignOut()
}

/**
 * Ends the session and empties this device, but asks before it loses what is not sent yet. `proceed` leads on. `next`
 * is the path that the next sign-in in this tab leads to.
 */
export function useLeaving(proceed: () => unknown, next?: string) {
  const session = useSession()
  const userId = session.state === 'signed-in' ? session.user.userId : undefined
  const [step, setStep] = useState<'here' | 'asking' | 'leaving'>('here')
  useDraftsUntilSignOut()

  const leave = async (): Promise<void> => {
    setStep('leaving')
    // Signing out may lead through a page of the pool or the provider, which do not pass on our parameters.
    if (next !== undefined) rememberHostedTarget(next)
    forgetDrafts()
    // Nothing of the user may arrive here after they have signed out. The server stops by itself if this fails.
    await withPush('turnPushOff')
    try {
      await session.signOut()
    } catch (error) {
      logWarning('The session could not be ended at the service', error)
    }
    await emptyDevice(userId)
    await proceed()
  }

  const question = <LeaveQuestion onLeave={() => void leave()} onStay={() => setStep('here')} />
  return { step, ask: () => setStep('asking'), question: step === 'asking' && question }
}

/** The same, at the external provider too if the session began there. Then the login screen shows. */
export function useSignOut(next?: string) {
  const { t } = useTranslation('auth')
  const { externalProvider: provider } = features()
  const navigate = useNavigate()
  return useLeaving(async () => {
    // The guard has already replaced the screen with the login screen. A second entry would make the back button do nothing.
    if (!takeExternalMark()) return navigate(to.login(next), { replace: true })
    const page = await leaveProvider().catch(() => null)
    if (page !== null) return globalThis.location.assign(page)
    const message = t('external.signOutFailed')
    logWarning(message, provider)
    return navigate(to.login(next), { replace: true, state: { message, messageType: 'error' } })
  }, next)
}
