import {
  CognitoIdentityProviderClient,
  CompleteWebAuthnRegistrationCommand,
  DeleteWebAuthnCredentialCommand,
  InitiateAuthCommand,
  type InitiateAuthCommandOutput,
  ListWebAuthnCredentialsCommand,
  RespondToAuthChallengeCommand,
  StartWebAuthnRegistrationCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { confirmSignIn, signIn, signOut } from 'aws-amplify/auth'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { eachDatabase } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool } from './testing/a-pool.ts'
import { anAuthenticator, type Authenticator, type RequestOptions } from './testing/authenticator.ts'
import { amplifyClient } from './testing/clients/amplify.ts'
import type { Endpoint } from './testing/clients/client.ts'
import { aConfirmedUser, type Challenge, srpClient } from './testing/people.ts'
import * as people from './testing/people.ts'

type RegistrationOptions = Parameters<Authenticator['create']>[0]

/**
 * USER_AUTH with the official libraries. `amazon-cognito-identity-js` does not know it; Amplify's passkeys need a
 * browser, which e2e/journeys/passkeys.e2e.ts has.
 */
eachDatabase(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let endpoint: Endpoint
  beforeAll(async () => {
    pool = await aPool(useDatabase())
    await pool.app.listen({ host: '127.0.0.1', port: 0 })
    endpoint = { ...pool.identity.pool, userPoolEndpoint: `${pool.app.listeningOrigin}/identity/` }
  })
  afterAll(async () => {
    await pool.close()
  })

  describe('aws-amplify/auth, unmodified', () => {
    afterEach(async () => {
      await signOut()
    })
    const step = (output: { nextStep: { signInStep: string } }) => output.nextStep.signInStep
    const answer = async (challengeResponse: string) => step(await confirmSignIn({ challengeResponse }))
    const authFlowType = 'USER_AUTH' as const

    test('offers the choice, and signs in with the password that is chosen', async () => {
      amplifyClient(endpoint)
      const { email: username, password } = await aConfirmedUser(pool)
      const { nextStep } = await signIn({ username, options: { authFlowType } })
      expect(nextStep).toEqual({
        signInStep: 'CONTINUE_SIGN_IN_WITH_FIRST_FACTOR_SELECTION',
        availableChallenges: ['PASSWORD', 'PASSWORD_SRP', 'EMAIL_OTP'],
      })

      expect(await answer('PASSWORD')).toBe('CONFIRM_SIGN_IN_WITH_PASSWORD')
      expect(await answer(password)).toBe('DONE')
    })

    test.each(['PASSWORD', 'PASSWORD_SRP'] as const)('signs in with %s where it is preferred', async (preferred) => {
      amplifyClient(endpoint)
      const { email: username, password } = await aConfirmedUser(pool)

      const begun = await signIn({ username, password, options: { authFlowType, preferredChallenge: preferred } })

      expect(step(begun)).toBe('DONE')
    })

    test('signs in with a code by mail where it is preferred', async () => {
      amplifyClient(endpoint)
      const { email: username } = await aConfirmedUser(pool)
      const begun = await signIn({ username, options: { authFlowType, preferredChallenge: 'EMAIL_OTP' } })
      expect(step(begun)).toBe('CONFIRM_SIGN_IN_WITH_EMAIL_CODE')

      expect(await answer(await pool.readCode(username, 2))).toBe('DONE')
    })
  })

  describe('@aws-sdk/client-cognito-identity-provider, unmodified', () => {
    const open = () => {
      const sdk = new CognitoIdentityProviderClient({ region: 'us-east-1', endpoint: endpoint.userPoolEndpoint })
      const { userPoolClientId: ClientId } = endpoint
      const begin = async (AuthParameters: Record<string, string>) =>
        await sdk.send(new InitiateAuthCommand({ ClientId, AuthFlow: 'USER_AUTH', AuthParameters }))
      const answer = async (
        { ChallengeName, Session, ChallengeParameters }: InitiateAuthCommandOutput,
        responses: Record<string, string>,
        USERNAME = ChallengeParameters?.['USER_ID_FOR_SRP'] ?? '',
      ) => {
        const ChallengeResponses = { USERNAME, ...responses }
        return await sdk.send(
          new RespondToAuthChallengeCommand({ ClientId, ChallengeName, Session, ChallengeResponses }),
        )
      }
      return { sdk, begin, answer }
    }

    test('registers a passkey, signs in with it, lists it and takes it away', async () => {
      const { sdk, begin, answer } = open()
      const zoe = await aConfirmedUser(pool)
      const { AccessToken } = await people.signIn(pool, zoe)
      const passkey = anAuthenticator()
      const started = await sdk.send(new StartWebAuthnRegistrationCommand({ AccessToken }))
      const Credential = passkey.create(started.CredentialCreationOptions as RegistrationOptions)
      await sdk.send(new CompleteWebAuthnRegistrationCommand({ AccessToken, Credential }))

      const asked = await begin({ USERNAME: zoe.email, PREFERRED_CHALLENGE: 'WEB_AUTHN' })
      const wanted = asked.ChallengeParameters?.['CREDENTIAL_REQUEST_OPTIONS'] ?? 'null'
      const options = JSON.parse(wanted) as RequestOptions
      const elsewhere = passkey.get(options, { origin: 'https://marquee.example.evil' })
      await expect(answer(asked, { CREDENTIAL: JSON.stringify(elsewhere) })).rejects.toMatchObject({
        name: 'NotAuthorizedException',
      })
      const signedIn = await answer(asked, { CREDENTIAL: JSON.stringify(passkey.get(options)) })
      expect(signedIn.AuthenticationResult?.TokenType).toBe('Bearer')

      const list = async () => (await sdk.send(new ListWebAuthnCredentialsCommand({ AccessToken }))).Credentials
      expect((await list())?.map(({ CredentialId }) => CredentialId)).toEqual([passkey.id])
      await sdk.send(new DeleteWebAuthnCredentialCommand({ AccessToken, CredentialId: passkey.id }))
      expect(await list()).toEqual([])
    })

    test('chooses among what is offered: the password, with SRP, or a code by mail', async () => {
      const { begin, answer } = open()
      const { email: USERNAME, password } = await aConfirmedUser(pool)
      const offer = async () => {
        const asked = await begin({ USERNAME })
        expect(asked.AvailableChallenges).toEqual(['PASSWORD', 'PASSWORD_SRP', 'EMAIL_OTP'])
        return asked
      }
      const clear = await answer(await offer(), { ANSWER: 'PASSWORD', PASSWORD: password }, USERNAME)
      expect(clear.AuthenticationResult?.TokenType).toBe('Bearer')

      const srp = srpClient(endpoint.userPoolId)
      const verifier = await answer(await offer(), { ANSWER: 'PASSWORD_SRP', SRP_A: srp.A }, USERNAME)
      const proof = srp.answer(verifier.ChallengeParameters as Challenge, password)
      expect((await answer(verifier, proof)).AuthenticationResult?.TokenType).toBe('Bearer')

      const mailed = await answer(await offer(), { ANSWER: 'EMAIL_OTP' }, USERNAME)
      const signedIn = await answer(mailed, { EMAIL_OTP_CODE: await pool.readCode(USERNAME, 2) })
      expect(signedIn.AuthenticationResult?.TokenType).toBe('Bearer')
    })
  })
})
