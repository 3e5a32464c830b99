import { setTimeout as pause } from 'node:timers/promises'

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
import {
  associateWebAuthnCredential,
  autoSignIn,
  confirmSignIn,
  confirmSignUp,
  confirmUserAttribute,
  deleteWebAuthnCredential,
  getCurrentUser,
  listWebAuthnCredentials,
  signIn,
  signOut,
  signUp,
  updateUserAttribute,
} from 'aws-amplify/auth'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { onDatabase } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool } from './testing/a-pool.ts'
import { anAuthenticator, type Authenticator, type RequestOptions } from './testing/authenticator.ts'
import { amplifyClient } from './testing/clients/amplify.ts'
import { aBrowserWithPasskey } from './testing/clients/browser-passkeys.ts'
import { type Endpoint, listen } from './testing/clients/client.ts'
import * as people from './testing/people.ts'
import { aConfirmedUser, aPerson } from './testing/people.ts'
import { type Challenge, srpClient } from './testing/srp-client.ts'

const AMPLIFY_DEBOUNCE_MS = 301

type RegistrationOptions = Parameters<Authenticator['create']>[0]

/**
 * USER_AUTH with the official libraries. `amazon-cognito-identity-js` does not know it; a real browser makes Amplify's
 * passkeys in e2e/journeys/passkeys.e2e.ts.
 */
onDatabase('sqlite', POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let endpoint: Endpoint
  beforeAll(async () => {
    pool = await aPool(useDatabase())
    endpoint = await listen(pool)
  })
  afterAll(async () => {
    await pool.close()
  })

  describe('aws-amplify/auth, unmodified', () => {
    afterEach(async () => {
      await signOut()
      vi.unstubAllGlobals()
    })
    const step = (output: { nextStep: { signInStep: string } }) => output.nextStep.signInStep
    const answer = async (challengeResponse: string) => step(await confirmSignIn({ challengeResponse }))
    const authFlowType = 'USER_AUTH' as const

    test('aws-amplify/auth is offered a choice of factors and signs in with a password', async () => {
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

    test.each(['PASSWORD', 'PASSWORD_SRP'] as const)(
      'aws-amplify/auth signs in with %s as the preferred factor',
      async (preferred) => {
        amplifyClient(endpoint)
        const { email: username, password } = await aConfirmedUser(pool)

        const begun = await signIn({ username, password, options: { authFlowType, preferredChallenge: preferred } })

        expect(step(begun)).toBe('DONE')
      },
    )

    test('aws-amplify/auth signs in with a code by text message, chosen or preferred', async () => {
      amplifyClient(endpoint)
      const phone = '+4915144444444'
      const { email: username, password } = await aConfirmedUser(pool)
      await signIn({ username, password })
      await updateUserAttribute({ userAttribute: { attributeKey: 'phone_number', value: phone } })
      const confirmationCode = await pool.readSmsCode(phone)
      await confirmUserAttribute({ userAttributeKey: 'phone_number', confirmationCode })
      await signOut()

      const { nextStep } = await signIn({ username, options: { authFlowType } })
      expect(nextStep).toMatchObject({
        availableChallenges: ['PASSWORD', 'PASSWORD_SRP', 'EMAIL_OTP', 'SMS_OTP'],
      })
      expect(await answer('SMS_OTP')).toBe('CONFIRM_SIGN_IN_WITH_SMS_CODE')
      expect(await answer(await pool.readSmsCode(phone, 2))).toBe('DONE')
      await signOut()

      const begun = await signIn({ username, options: { authFlowType, preferredChallenge: 'SMS_OTP' } })
      expect(step(begun)).toBe('CONFIRM_SIGN_IN_WITH_SMS_CODE')
      expect(await answer(await pool.readSmsCode(phone, 3))).toBe('DONE')
    })

    test('aws-amplify/auth creates a passkey, signs in with it, lists it and deletes it', async () => {
      amplifyClient(endpoint)
      const passkey = anAuthenticator()
      aBrowserWithPasskey(passkey)
      const { email: username, password } = await aConfirmedUser(pool)
      await signIn({ username, password })
      await associateWebAuthnCredential()
      await signOut()

      const begun = await signIn({ username, options: { authFlowType, preferredChallenge: 'WEB_AUTHN' } })
      expect(step(begun)).toBe('DONE')
      await signOut()
      const offered = await signIn({ username, options: { authFlowType } })
      expect(offered.nextStep).toMatchObject({
        availableChallenges: ['PASSWORD', 'PASSWORD_SRP', 'EMAIL_OTP', 'WEB_AUTHN'],
      })
      expect(await answer('WEB_AUTHN')).toBe('DONE')

      const list = async () => (await listWebAuthnCredentials()).credentials.map(({ credentialId }) => credentialId)
      expect(await list()).toEqual([passkey.id])
      await deleteWebAuthnCredential({ credentialId: passkey.id })
      expect(await list()).toEqual([])
    })

    test.each(['the password it still has', 'the session of the confirmation'])(
      'aws-amplify/auth signs in automatically after the confirmation, with %s',
      async (how) => {
        amplifyClient(endpoint)
        // Amplify drops a sign-in that begins too soon after another one.
        await pause(AMPLIFY_DEBOUNCE_MS)
        const { username, email, password } = aPerson()
        const autoSignInWith = how.startsWith('the session') ? { authFlowType } : true
        await signUp({ username, password, options: { userAttributes: { email }, autoSignIn: autoSignInWith } })

        const { nextStep } = await confirmSignUp({ username, confirmationCode: await pool.readCode(email) })
        expect(nextStep.signUpStep).toBe('COMPLETE_AUTO_SIGN_IN')
        expect(step(await autoSignIn())).toBe('DONE')
        expect(await getCurrentUser()).toMatchObject({ username })
      },
    )

    test('aws-amplify/auth signs in with a code by mail as the preferred factor', async () => {
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

    test('@aws-sdk/client-cognito-identity-provider registers a passkey, signs in with it, lists it and deletes it', async () => {
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

    test('@aws-sdk/client-cognito-identity-provider signs in with a password, a password over SRP and a mailed code', async () => {
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
