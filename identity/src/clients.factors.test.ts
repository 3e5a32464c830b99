import {
  AssociateSoftwareTokenCommand,
  CognitoIdentityProviderClient,
  type CognitoIdentityProviderClientConfig,
  DeleteUserAttributesCommand,
  DeleteUserCommand,
  GetUserAttributeVerificationCodeCommand,
  GetUserAuthFactorsCommand,
  GetUserCommand,
  InitiateAuthCommand,
  RespondToAuthChallengeCommand,
  SetUserMFAPreferenceCommand,
  SetUserSettingsCommand,
  UpdateUserAttributesCommand,
  VerifySoftwareTokenCommand,
  VerifyUserAttributeCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import {
  confirmSignIn,
  confirmUserAttribute,
  deleteUser,
  deleteUserAttributes,
  fetchMFAPreference,
  fetchUserAttributes,
  sendUserAttributeVerificationCode,
  setUpTOTP,
  signIn as amplifySignIn,
  signOut,
  updateMFAPreference,
  updateUserAttribute,
  verifyTOTPSetup,
} from 'aws-amplify/auth'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { onDatabase, TRIES_ALL } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool } from './testing/a-pool.ts'
import { amplifyClient } from './testing/clients/amplify.ts'
import { refusalOf } from './testing/clients/client.ts'
import { legacyFactors } from './testing/clients/legacy-factors.ts'
import { aConfirmedUser, aPerson, signIn } from './testing/people.ts'
import { appCode, mustSucceed } from './testing/second-factors.ts'

const STEP_MS = 30_000

onDatabase('sqlite', POOL_TABLES, (useDatabase) => {
  // Libraries read the real clock, so the pool's clock runs too. Tests advance it to the next code of an app.
  let ahead = 0
  const clock = { now: () => new Date(new Date().getTime() + ahead) }
  const code = (secret: string) => {
    ahead += STEP_MS
    return appCode(secret, clock.now())
  }
  let free: RunningPool
  let strict: RunningPool
  const endpointOf = (pool: RunningPool) => ({
    ...pool.identity.pool,
    userPoolEndpoint: `${pool.app.listeningOrigin}/identity/`,
  })
  beforeAll(async () => {
    free = await aPool(useDatabase(), { clock })
    strict = await aPool(useDatabase(), { clock, beside: free, settings: { mfa: 'required' } })
    for (const pool of [free, strict]) await pool.app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    await strict.close()
    await free.close()
  })

  async function anInvitee() {
    const person = aPerson()
    const { username, email, password: temporaryPassword } = person
    await free.identity.admin.createUser({ username, email, temporaryPassword })
    return person
  }

  describe('aws-amplify/auth, unmodified', () => {
    afterEach(async () => {
      await signOut()
    })
    const step = (output: { nextStep: { signInStep: string } }) => output.nextStep.signInStep
    const begin = async ({ email, password }: { email: string; password: string }) =>
      await amplifySignIn({ username: email, password })
    const answer = async (challengeResponse: string) => await confirmSignIn({ challengeResponse })

    test('aws-amplify/auth signs in with a plain-text password', async () => {
      amplifyClient(endpointOf(free))
      const zoe = await aConfirmedUser(free)
      const options = { authFlowType: 'USER_PASSWORD_AUTH' } as const

      expect(step(await amplifySignIn({ username: zoe.email, password: zoe.password, options }))).toBe('DONE')
    })

    test('aws-amplify/auth sets up an authenticator app and mailed codes, and signs in with either', async () => {
      amplifyClient(endpointOf(free))
      const zoe = await aConfirmedUser(free)
      await begin(zoe)
      const { sharedSecret } = await setUpTOTP()
      await verifyTOTPSetup({ code: code(sharedSecret) })
      await updateMFAPreference({ totp: 'PREFERRED', email: 'ENABLED' })
      expect(await fetchMFAPreference()).toEqual({ enabled: ['TOTP', 'EMAIL'], preferred: 'TOTP' })
      await signOut()

      expect(step(await begin(zoe))).toBe('CONFIRM_SIGN_IN_WITH_TOTP_CODE')
      expect(await refusalOf(answer('000'))).toBe('CodeMismatchException')
      const used = code(sharedSecret)
      expect(step(await answer(used))).toBe('DONE')
      await updateMFAPreference({ totp: 'NOT_PREFERRED' })
      await signOut()

      await begin(zoe)
      expect(await refusalOf(answer('TOTP'))).toBe('no refusal')
      expect(await refusalOf(answer(used))).toBe('ExpiredCodeException')
      await signOut()

      expect(step(await begin(zoe))).toBe('CONTINUE_SIGN_IN_WITH_MFA_SELECTION')
      expect(step(await answer('EMAIL'))).toBe('CONFIRM_SIGN_IN_WITH_EMAIL_CODE')
      expect(step(await answer(await free.readCode(zoe.email, 2)))).toBe('DONE')
    })

    test('aws-amplify/auth signs in with a code by text message', async () => {
      amplifyClient(endpointOf(free))
      const phone = '+4915177777777'
      const zoe = await aConfirmedUser(free)
      await begin(zoe)
      await updateUserAttribute({ userAttribute: { attributeKey: 'phone_number', value: phone } })
      const confirmationCode = await free.readSmsCode(phone)
      await confirmUserAttribute({ userAttributeKey: 'phone_number', confirmationCode })
      await updateMFAPreference({ sms: 'PREFERRED' })
      await signOut()

      expect(step(await begin(zoe))).toBe('CONFIRM_SIGN_IN_WITH_SMS_CODE')
      expect(step(await answer(await free.readSmsCode(phone, 2)))).toBe('DONE')
    })

    test('aws-amplify/auth sets up an authenticator app or mailed codes when a second factor is required', async () => {
      amplifyClient(endpointOf(strict))
      const zoe = await aConfirmedUser(strict)
      expect(step(await begin(zoe))).toBe('CONTINUE_SIGN_IN_WITH_MFA_SETUP_SELECTION')
      const { nextStep } = await answer('TOTP')
      if (nextStep.signInStep !== 'CONTINUE_SIGN_IN_WITH_TOTP_SETUP') throw new Error(nextStep.signInStep)
      expect(step(await answer(code(nextStep.totpSetupDetails.sharedSecret)))).toBe('DONE')
      await signOut()

      const ann = await aConfirmedUser(strict)
      await begin(ann)
      expect(step(await answer('EMAIL'))).toBe('CONTINUE_SIGN_IN_WITH_EMAIL_SETUP')
      expect(step(await answer(ann.email))).toBe('CONFIRM_SIGN_IN_WITH_EMAIL_CODE')
      expect(step(await answer(await strict.readCode(ann.email, 2)))).toBe('DONE')
    })

    test('aws-amplify/auth asks for a new password after a temporary one, and when a reset is required', async () => {
      amplifyClient(endpointOf(free))
      const ann = await anInvitee()
      expect(step(await begin(ann))).toBe('CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED')
      expect(step(await answer('An0therPassword'))).toBe('DONE')
      await signOut()
      await free.identity.admin.requirePasswordReset(ann.username)

      expect(step(await begin({ ...ann, password: 'An0therPassword' }))).toBe('RESET_PASSWORD')
    })

    test('aws-amplify/auth verifies a new address, adds and deletes a phone number, and deletes the account', async () => {
      amplifyClient(endpointOf(free))
      const zoe = await aConfirmedUser(free)
      const { email } = aPerson()
      const phone = '+4915198765432'
      await begin(zoe)

      const changed = await updateUserAttribute({ userAttribute: { attributeKey: 'email', value: email } })
      expect(changed.nextStep.updateAttributeStep).toBe('CONFIRM_ATTRIBUTE_WITH_CODE')
      await sendUserAttributeVerificationCode({ userAttributeKey: 'email' })
      const confirmationCode = await free.readCode(email, 2)
      await confirmUserAttribute({ userAttributeKey: 'email', confirmationCode })
      await updateUserAttribute({ userAttribute: { attributeKey: 'phone_number', value: phone } })
      const texted = await free.readSmsCode(phone)
      await confirmUserAttribute({ userAttributeKey: 'phone_number', confirmationCode: texted })
      expect(await fetchUserAttributes()).toMatchObject({ email, email_verified: 'true', phone_number: phone })
      await deleteUserAttributes({ userAttributeKeys: ['phone_number'] })
      expect(await fetchUserAttributes()).not.toHaveProperty('phone_number')
      await deleteUser()

      expect(await refusalOf(begin({ ...zoe, email }))).toBe('NotAuthorizedException')
    })
  })

  // It is slow, and the others answer the same challenges.
  describe.runIf(TRIES_ALL)('amazon-cognito-identity-js, unmodified', () => {
    test('amazon-cognito-identity-js sets up an authenticator app and signs in with it', async () => {
      const zoe = await aConfirmedUser(free)
      const client = legacyFactors(endpointOf(free), zoe.email)
      expect(await client.signIn(zoe.password)).toBe('signed in')
      const secret = await client.associate()
      await client.verify(code(secret))
      await client.preferApp()

      expect(await client.signIn(zoe.password)).toBe('totpRequired')
      expect(await refusalOf(client.sendCode('000000', 'SOFTWARE_TOKEN_MFA'))).toBe('CodeMismatchException')
      const used = code(secret)
      expect(await client.sendCode(used, 'SOFTWARE_TOKEN_MFA')).toBe('signed in')
      await client.signIn(zoe.password)
      expect(await refusalOf(client.sendCode(used, 'SOFTWARE_TOKEN_MFA'))).toBe('ExpiredCodeException')
    })

    test('amazon-cognito-identity-js chooses between an app and codes by text message', async () => {
      const phone = '+4915166666666'
      const zoe = await aConfirmedUser(free)
      const client = legacyFactors(endpointOf(free), zoe.email)
      await client.signIn(zoe.password)
      await client.verify(code(await client.associate()))
      await client.updateAttribute('phone_number', phone)
      await client.verifyAttribute('phone_number', await free.readSmsCode(phone))
      const { AccessToken } = await signIn(free, zoe)
      const on = { Enabled: true }
      await mustSucceed(free, 'SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings: on, SMSMfaSettings: on })

      expect(await client.signIn(zoe.password)).toBe('selectMFAType')
      expect(await client.chooseFactor('SMS_MFA')).toBe('mfaRequired')
      expect(await client.sendCode(await free.readSmsCode(phone, 2), 'SMS_MFA')).toBe('signed in')
    })

    test('amazon-cognito-identity-js enables codes by text message the older way, and then needs one to sign in', async () => {
      const phone = '+4915155555555'
      const zoe = await aConfirmedUser(free)
      const client = legacyFactors(endpointOf(free), zoe.email)
      await client.signIn(zoe.password)
      await client.updateAttribute('phone_number', phone)
      await client.verifyAttribute('phone_number', await free.readSmsCode(phone))
      await client.enableSms()

      expect(await client.signInClear(zoe.password)).toBe('mfaRequired')
      expect(await client.sendCode(await free.readSmsCode(phone, 2), 'SMS_MFA')).toBe('signed in')
    })

    test('amazon-cognito-identity-js replaces a temporary password', async () => {
      const ann = await anInvitee()
      const client = legacyFactors(endpointOf(free), ann.email)

      expect(await client.signIn(ann.password)).toBe('newPasswordRequired')
      expect(await client.newPassword('An0therPassword')).toBe('signed in')
    })

    test('amazon-cognito-identity-js sets up an authenticator app when a second factor is required', async () => {
      const zoe = await aConfirmedUser(strict)
      const client = legacyFactors(endpointOf(strict), zoe.email)

      expect(await client.signIn(zoe.password)).toBe('mfaSetup')
      const secret = await client.associate()
      await client.verify(code(secret))
      expect(await client.signIn(zoe.password)).toBe('totpRequired')
    })

    test('amazon-cognito-identity-js verifies a new address and deletes the account', async () => {
      const zoe = await aConfirmedUser(free)
      const { email } = aPerson()
      const client = legacyFactors(endpointOf(free), zoe.username)
      await client.signIn(zoe.password)
      await client.updateAttribute('email', email)
      await client.verifyAttribute('email', await free.readCode(email))
      await client.deleteUser()

      expect(await refusalOf(client.signIn(zoe.password))).toBe('NotAuthorizedException')
    })
  })

  describe('@aws-sdk/client-cognito-identity-provider, unmodified', () => {
    const open = (pool: RunningPool) => {
      const { userPoolClientId: ClientId, userPoolEndpoint: endpoint } = endpointOf(pool)
      const config: CognitoIdentityProviderClientConfig = { region: 'us-east-1', endpoint }
      const sdk = new CognitoIdentityProviderClient(config)
      const begin = async (USERNAME: string, PASSWORD: string) =>
        await sdk.send(
          new InitiateAuthCommand({
            ClientId,
            AuthFlow: 'USER_PASSWORD_AUTH',
            AuthParameters: { USERNAME, PASSWORD },
          }),
        )
      const answer = async (asked: Awaited<ReturnType<typeof begin>>, responses: Record<string, string>) => {
        const { ChallengeName, Session, ChallengeParameters } = asked
        const ChallengeResponses = { USERNAME: ChallengeParameters?.['USER_ID_FOR_SRP'] ?? '', ...responses }
        return await sdk.send(
          new RespondToAuthChallengeCommand({ ClientId, ChallengeName, Session, ChallengeResponses }),
        )
      }
      return { sdk, begin, answer }
    }

    test('@aws-sdk/client-cognito-identity-provider signs in with an authenticator app or a mailed code, changes the address and deletes the account', async () => {
      const { sdk, begin, answer } = open(free)
      const zoe = await aConfirmedUser(free)
      const AccessToken = (await begin(zoe.email, zoe.password)).AuthenticationResult?.AccessToken
      const app = await sdk.send(new AssociateSoftwareTokenCommand({ AccessToken }))
      const UserCode = code(app.SecretCode ?? '')
      const verified = await sdk.send(new VerifySoftwareTokenCommand({ AccessToken, UserCode }))
      expect(verified.Status).toBe('SUCCESS')
      const Enabled = { Enabled: true }
      const both = { AccessToken, SoftwareTokenMfaSettings: Enabled, EmailMfaSettings: Enabled }
      await sdk.send(new SetUserMFAPreferenceCommand(both))

      const byApp = await answer(await begin(zoe.email, zoe.password), { ANSWER: 'SOFTWARE_TOKEN_MFA' })
      const replayed = answer(byApp, { SOFTWARE_TOKEN_MFA_CODE: UserCode })
      expect(await refusalOf(replayed)).toBe('ExpiredCodeException')
      const proven = await answer(byApp, { SOFTWARE_TOKEN_MFA_CODE: code(app.SecretCode ?? '') })
      expect(proven.AuthenticationResult?.TokenType).toBe('Bearer')
      const asked = await begin(zoe.email, zoe.password)
      expect(asked.ChallengeName).toBe('SELECT_MFA_TYPE')
      const chosen = await answer(asked, { ANSWER: 'EMAIL_OTP' })
      const signedIn = await answer(chosen, { EMAIL_OTP_CODE: await free.readCode(zoe.email, 2) })
      expect(signedIn.AuthenticationResult?.TokenType).toBe('Bearer')

      const { email } = aPerson()
      const UserAttributes = [{ Name: 'email', Value: email }]
      await sdk.send(new UpdateUserAttributesCommand({ AccessToken, UserAttributes }))
      const which = { AccessToken, AttributeName: 'email' }
      await sdk.send(new GetUserAttributeVerificationCodeCommand(which))
      await sdk.send(new VerifyUserAttributeCommand({ ...which, Code: await free.readCode(email, 2) }))
      const user = await sdk.send(new GetUserCommand({ AccessToken }))
      expect(user.UserAttributes).toContainEqual({ Name: 'email', Value: email })
      const factors = await sdk.send(new GetUserAuthFactorsCommand({ AccessToken }))
      expect(factors.ConfiguredUserAuthFactors).toContain('PASSWORD')
      await sdk.send(new DeleteUserAttributesCommand({ AccessToken, UserAttributeNames: ['phone_number'] }))
      await sdk.send(new DeleteUserCommand({ AccessToken }))
      expect(await refusalOf(sdk.send(new GetUserCommand({ AccessToken })))).toBe('UserNotFoundException')
    })

    test('@aws-sdk/client-cognito-identity-provider signs in with a code by text message as the second or first factor', async () => {
      const { sdk, begin, answer } = open(free)
      const phone = '+4915188888888'
      const zoe = await aConfirmedUser(free)
      const AccessToken = (await begin(zoe.email, zoe.password)).AuthenticationResult?.AccessToken
      const UserAttributes = [{ Name: 'phone_number', Value: phone }]
      await sdk.send(new UpdateUserAttributesCommand({ AccessToken, UserAttributes }))
      const AttributeName = 'phone_number'
      const Code = await free.readSmsCode(phone)
      await sdk.send(new VerifyUserAttributeCommand({ AccessToken, AttributeName, Code }))

      const { userPoolClientId: ClientId } = endpointOf(free)
      const AuthParameters = { USERNAME: zoe.email, PREFERRED_CHALLENGE: 'SMS_OTP' }
      const first = await sdk.send(new InitiateAuthCommand({ ClientId, AuthFlow: 'USER_AUTH', AuthParameters }))
      const byFirst = await answer(first, { SMS_OTP_CODE: await free.readSmsCode(phone, 2) })
      expect(byFirst.AuthenticationResult?.TokenType).toBe('Bearer')

      await sdk.send(new SetUserMFAPreferenceCommand({ AccessToken, SMSMfaSettings: { Enabled: true } }))
      const second = await begin(zoe.email, zoe.password)
      expect(second.ChallengeName).toBe('SMS_MFA')
      const bySecond = await answer(second, { SMS_MFA_CODE: await free.readSmsCode(phone, 3) })
      expect(bySecond.AuthenticationResult?.TokenType).toBe('Bearer')

      await sdk.send(new SetUserSettingsCommand({ AccessToken, MFAOptions: [] }))
      expect((await begin(zoe.email, zoe.password)).AuthenticationResult?.TokenType).toBe('Bearer')
      const MFAOptions = [{ DeliveryMedium: 'SMS', AttributeName }] as const
      await sdk.send(new SetUserSettingsCommand({ AccessToken, MFAOptions: [...MFAOptions] }))
      expect((await begin(zoe.email, zoe.password)).ChallengeName).toBe('SMS_MFA')
    })

    test('@aws-sdk/client-cognito-identity-provider sets up mailed codes when a second factor is required', async () => {
      const { begin, answer } = open(strict)
      const zoe = await aConfirmedUser(strict)
      const asked = await begin(zoe.email, zoe.password)
      expect(asked.ChallengeParameters?.['MFAS_CAN_SETUP']).toBe('["SOFTWARE_TOKEN_MFA","EMAIL_OTP"]')

      const mailed = await answer(asked, { EMAIL: zoe.email })
      const signedIn = await answer(mailed, { EMAIL_OTP_CODE: await strict.readCode(zoe.email, 2) })

      expect(signedIn.AuthenticationResult?.TokenType).toBe('Bearer')
      expect((await begin(zoe.email, zoe.password)).ChallengeName).toBe('EMAIL_OTP')
    })

    test('@aws-sdk/client-cognito-identity-provider replaces a temporary password and then sets up the required second factor', async () => {
      const { sdk, begin, answer } = open(strict)
      const ann = await anInvitee()

      const asked = await begin(ann.email, ann.password)
      expect(asked.ChallengeName).toBe('NEW_PASSWORD_REQUIRED')
      const next = await answer(asked, { NEW_PASSWORD: 'An0therPassword' })
      expect(next.ChallengeName).toBe('MFA_SETUP')
      const app = await sdk.send(new AssociateSoftwareTokenCommand({ Session: next.Session }))
      const UserCode = code(app.SecretCode ?? '')
      const { Session } = await sdk.send(new VerifySoftwareTokenCommand({ Session: app.Session, UserCode }))
      const signedIn = await answer({ ...next, Session }, {})

      expect(signedIn.AuthenticationResult?.TokenType).toBe('Bearer')
    })
  })
})
