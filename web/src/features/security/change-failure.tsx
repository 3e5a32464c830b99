import { useIdentityMessage } from '#web/session/use-identity-message.ts'
import { Banner } from '#web/ui/banner.tsx'

/** Why a change of the account was refused, in the words of the identity service where it gave some. */
export function ChangeFailure({ error }: { error: unknown }) {
  const messageOf = useIdentityMessage()
  if (error === null) return null
  return <Banner tone="error">{messageOf(error, 'errors.security')}</Banner>
}
