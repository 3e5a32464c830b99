import type { ParseKeys } from 'i18next'
import { useTranslation } from 'react-i18next'

import { identityFailure } from './identity-failure.ts'
import { readRefusals } from './refusals.ts'

/** The sentence to show for a failed action: the service's own, unless only a developer would understand that. */
export function useIdentityMessage(): (error: unknown, fallback: ParseKeys<'auth'>) => string {
  const { t } = useTranslation(['auth', 'common'])
  return (error, fallback) => {
    const failure = identityFailure(error, t(fallback))
    const [refusal] = readRefusals(failure)
    return refusal?.text === undefined || refusal.keepsMessage === true ? failure.message : t(refusal.text)
  }
}
