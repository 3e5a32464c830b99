import { useState } from 'react'

import { loadIdentity } from '#web/session/identity-loader.ts'
import { useIdentityMessage } from '#web/session/use-identity-message.ts'

type Resending = { step: 'idle' | 'sending' | 'sent' } | { step: 'failed'; message: string }

/** Sends the mail that confirms a sign-up again. */
export function useResend(username: string) {
  const messageOf = useIdentityMessage()
  const [resending, setResending] = useState<Resending>({ step: 'idle' })

  return {
    isSending: resending.step === 'sending',
    isSent: resending.step === 'sent',
    failure: resending.step === 'failed' ? resending.message : undefined,
    reset: () => setResending({ step: 'idle' }),
    resend: async (): Promise<boolean> => {
      setResending({ step: 'sending' })
      try {
        const { resendCode } = await loadIdentity()
        await resendCode(username)
        setResending({ step: 'sent' })
        return true
      } catch (error) {
        setResending({ step: 'failed', message: messageOf(error, 'errors.resend') })
        return false
      }
    },
  }
}
