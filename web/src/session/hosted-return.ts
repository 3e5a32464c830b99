import { Hub } from 'aws-amplify/utils'

import { failHostedReturn } from './hosted-sign-in.ts'

/**
 * Exchanges the code from the hosted pages for tokens, and reports a failure. Meanwhile Amplify does not say who is
 * signed in.
 */
export async function startHostedReturn(): Promise<void> {
  Hub.listen('auth', ({ payload }) => {
    if (payload.event === 'signInWithRedirect_failure') failHostedReturn()
  })
  await import('aws-amplify/auth/enable-oauth-listener')
}
