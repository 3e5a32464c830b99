import { Hub } from 'aws-amplify/utils'

import { failHostedReturn } from './hosted-sign-in.ts'

/**
 * Takes the code that came back from the pool's own pages for tokens, and has it told when there is none. Meanwhile
 * Amplify answers nobody who asks who is signed in.
 */
export async function startHostedReturn(): Promise<void> {
  Hub.listen('auth', ({ payload }) => {
    if (payload.event === 'signInWithRedirect_failure') failHostedReturn()
  })
  await import('aws-amplify/auth/enable-oauth-listener')
}
