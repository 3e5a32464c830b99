import type { RunningPool } from './a-pool.ts'
import type { Authenticator, RequestOptions } from './authenticator.ts'
import type { Reply } from './people.ts'
import { mustSucceed, respond } from './second-factors.ts'

/** The creation options of a passkey. */
type RegistrationOptions = Parameters<Authenticator['create']>[0]

export async function startRegistration(pool: RunningPool, AccessToken: string): Promise<RegistrationOptions> {
  const { body } = await mustSucceed(pool, 'StartWebAuthnRegistration', { AccessToken })
  return body['CredentialCreationOptions'] as RegistrationOptions
}

/** Begins a sign-in with a passkey, which `answer` finishes. */
export async function askForPasskey(pool: RunningPool, USERNAME: string) {
  const AuthParameters = { USERNAME, PREFERRED_CHALLENGE: 'WEB_AUTHN' }
  const reply = await mustSucceed(pool, 'InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters })
  const parameters = reply.body['ChallengeParameters'] as Record<string, string>
  const options = JSON.parse(parameters['CREDENTIAL_REQUEST_OPTIONS'] ?? 'null') as RequestOptions
  const answer = async (passkey: Authenticator, quirks?: Parameters<Authenticator['get']>[1]): Promise<Reply> =>
    await respond(pool, reply, { CREDENTIAL: JSON.stringify(passkey.get(options, quirks)) }, USERNAME)
  return { reply, options, answer }
}
