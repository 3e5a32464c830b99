import {
  CognitoIdentityProviderClient,
  ConfirmDeviceCommand,
  ForgetDeviceCommand,
  GetDeviceCommand,
  InitiateAuthCommand,
  ListDevicesCommand,
  RespondToAuthChallengeCommand,
  UpdateDeviceStatusCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import {
  confirmSignIn,
  fetchDevices,
  forgetDevice,
  rememberDevice,
  signIn as amplifySignIn,
  signOut,
  updateMFAPreference,
} from 'aws-amplify/auth'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { onDatabase, TRIES_ALL } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool } from './testing/a-pool.ts'
import { amplifyClient } from './testing/clients/amplify.ts'
import { type Endpoint, listen } from './testing/clients/client.ts'
import { legacyFactors } from './testing/clients/legacy-factors.ts'
import { aDevice, type DeviceTokens } from './testing/devices.ts'
import { aConfirmedUser, signIn, type Tokens } from './testing/people.ts'
import { type Challenge, srpClientOf } from './testing/srp-client.ts'
import { appCode, mustSucceed } from './testing/second-factors.ts'

const STEP_MS = 30_000

/** Devices with the official libraries. Only the proof of a remembered device replaces the second factor. */
onDatabase('sqlite', POOL_TABLES, (useDatabase) => {
  // Libraries read the real clock, so the pool's clock runs too. Tests advance it to the next code of an app.
  let ahead = 0
  const clock = { now: () => new Date(new Date().getTime() + ahead) }
  const code = (secret: string) => {
    ahead += STEP_MS
    return appCode(secret, clock.now())
  }
  let pool: RunningPool
  let endpoint: Endpoint
  beforeAll(async () => {
    pool = await aPool(useDatabase(), { clock, settings: { deviceTracking: 'on' } })
    endpoint = await listen(pool)
  })
  afterAll(async () => {
    await pool.close()
  })

  /** Forgets the devices from another session. */
  async function forgetAll({ AccessToken }: Tokens, keys: readonly (string | undefined)[]) {
    for (const DeviceKey of keys) await mustSucceed(pool, 'ForgetDevice', { AccessToken, DeviceKey })
  }

  describe('aws-amplify/auth, unmodified', () => {
    afterEach(async () => {
      await signOut()
    })
    const begin = async ({ email, password }: { email: string; password: string }) =>
      (await amplifySignIn({ username: email, password })).nextStep.signInStep

    test('aws-amplify/auth remembers its device and needs no mailed code until the device is forgotten', async () => {
      amplifyClient(endpoint)
      const zoe = await aConfirmedUser(pool)
      expect(await begin(zoe)).toBe('DONE')
      await rememberDevice()
      expect(await fetchDevices()).toHaveLength(1)
      await updateMFAPreference({ email: 'ENABLED' })
      await signOut()

      expect(await begin(zoe)).toBe('DONE')
      expect(await fetchDevices()).toHaveLength(1)
      await forgetDevice()
      await signOut()

      expect(await begin(zoe)).toBe('CONFIRM_SIGN_IN_WITH_EMAIL_CODE')
    })

    test('aws-amplify/auth needs the second factor again after its device is forgotten elsewhere', async () => {
      amplifyClient(endpoint)
      const zoe = await aConfirmedUser(pool)
      await begin(zoe)
      const devices = await fetchDevices()
      const elsewhere = await signIn(pool, zoe)
      const { AccessToken } = elsewhere
      await mustSucceed(pool, 'SetUserMFAPreference', { AccessToken, EmailMfaSettings: { Enabled: true } })
      await forgetAll(
        elsewhere,
        devices.map(({ id }) => id),
      )
      await signOut()

      expect(await begin(zoe)).toBe('CONFIRM_SIGN_IN_WITH_EMAIL_CODE')
      const { nextStep } = await confirmSignIn({ challengeResponse: await pool.readCode(zoe.email, 2) })

      expect(nextStep.signInStep).toBe('DONE')
    })
  })

  // It is slow, and the others prove devices in the same way.
  describe.runIf(TRIES_ALL)('amazon-cognito-identity-js, unmodified', () => {
    test('amazon-cognito-identity-js remembers its device and needs no app code until the device is forgotten', async () => {
      const zoe = await aConfirmedUser(pool)
      const client = legacyFactors(endpoint, zoe.email)
      expect(await client.signIn(zoe.password)).toBe('signed in')
      const secret = await client.associate()
      await client.verify(code(secret))
      await client.preferApp()
      await client.rememberDevice()

      expect(await client.signIn(zoe.password)).toBe('signed in')
      expect(await client.deviceKeys()).toHaveLength(1)
      await client.forgetDevice()

      expect(await client.signIn(zoe.password)).toBe('totpRequired')
      expect(await client.sendCode(code(secret), 'SOFTWARE_TOKEN_MFA')).toBe('signed in')
    })

    test('amazon-cognito-identity-js needs the second factor again after its device is forgotten elsewhere', async () => {
      const zoe = await aConfirmedUser(pool)
      const client = legacyFactors(endpoint, zoe.email)
      await client.signIn(zoe.password)
      const secret = await client.associate()
      await client.verify(code(secret))
      const elsewhere = await signIn(pool, zoe)
      await client.preferApp()
      await forgetAll(elsewhere, await client.deviceKeys())

      expect(await client.signIn(zoe.password)).toBe('totpRequired')
      expect(await client.sendCode(code(secret), 'SOFTWARE_TOKEN_MFA')).toBe('signed in')
    })
  })

  test('@aws-sdk/client-cognito-identity-provider, unmodified, confirms, proves, lists and forgets a device', async () => {
    const sdk = new CognitoIdentityProviderClient({ region: 'us-east-1', endpoint: endpoint.userPoolEndpoint })
    const { userPoolClientId: ClientId } = endpoint
    const zoe = await aConfirmedUser(pool)
    const begin = async (more: Record<string, string> = {}) =>
      await sdk.send(
        new InitiateAuthCommand({
          ClientId,
          AuthFlow: 'USER_PASSWORD_AUTH',
          AuthParameters: { USERNAME: zoe.email, PASSWORD: zoe.password, ...more },
        }),
      )
    const first = (await begin()).AuthenticationResult as DeviceTokens
    const { device, config } = aDevice(first)
    const named = { AccessToken: first.AccessToken, DeviceKey: device.key }
    await sdk.send(new ConfirmDeviceCommand({ ...named, DeviceSecretVerifierConfig: config }))
    await sdk.send(new UpdateDeviceStatusCommand({ ...named, DeviceRememberedStatus: 'remembered' }))
    const listed = await sdk.send(new ListDevicesCommand(named))
    expect(listed.Devices?.map(({ DeviceKey }) => DeviceKey)).toEqual([device.key])
    expect((await sdk.send(new GetDeviceCommand(named))).Device).toEqual(listed.Devices?.[0])

    const asked = await begin({ DEVICE_KEY: device.key })
    expect(asked.ChallengeName).toBe('DEVICE_SRP_AUTH')
    const srp = srpClientOf(device.groupKey)
    const answer = async (
      { ChallengeName, Session }: Pick<typeof asked, 'ChallengeName' | 'Session'>,
      responses: Record<string, string>,
    ) =>
      await sdk.send(
        new RespondToAuthChallengeCommand({
          ClientId,
          ChallengeName,
          Session,
          ChallengeResponses: { ...responses, USERNAME: zoe.sub, DEVICE_KEY: device.key },
        }),
      )
    const proof = await answer(asked, { SRP_A: srp.A })
    expect(proof.ChallengeName).toBe('DEVICE_PASSWORD_VERIFIER')
    const parameters = { ...proof.ChallengeParameters, USER_ID_FOR_SRP: device.key } as Challenge
    const signedIn = await answer(proof, srp.answer(parameters, device.secret))

    expect(signedIn.AuthenticationResult?.TokenType).toBe('Bearer')
    expect(signedIn.AuthenticationResult).not.toHaveProperty('NewDeviceMetadata')
    await sdk.send(new ForgetDeviceCommand(named))
    await expect(begin({ DEVICE_KEY: device.key })).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  })
})
