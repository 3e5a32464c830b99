import { randomBytes } from 'node:crypto'

import { pad, toInteger, verifierOf } from '../base/srp/srp.ts'
import type { RunningPool } from './a-pool.ts'
import { beginSignIn, finishSignIn, type Person, type Reply, type Tokens } from './people.ts'
import { type Challenge, srpClientOf } from './srp-client.ts'
import { mustSucceed } from './second-factors.ts'

/** The state a client keeps for a device: its keys and a secret that is never sent. */
export type Device = { key: string; groupKey: string; secret: string }

export type DeviceTokens = Tokens & { NewDeviceMetadata?: { DeviceKey: string; DeviceGroupKey: string } }

/** Makes a secret for the offered device; returns it with the verifier to confirm. */
export function aDevice({ NewDeviceMetadata: offered }: DeviceTokens): {
  device: Device
  config: { Salt: string; PasswordVerifier: string }
} {
  if (!offered) throw new Error('No device was offered')
  const device = {
    key: offered.DeviceKey,
    groupKey: offered.DeviceGroupKey,
    secret: randomBytes(40).toString('base64'),
  }
  const salt = randomBytes(16)
  const verifier = verifierOf({ poolName: device.groupKey, userId: device.key }, device.secret, salt)
  const config = {
    Salt: pad(toInteger(salt)).toString('base64'),
    PasswordVerifier: pad(toInteger(verifier)).toString('base64'),
  }
  return { device, config }
}

/** Confirms the device offered with these tokens. */
export async function confirmDevice(pool: RunningPool, tokens: DeviceTokens, name = 'Firefox'): Promise<Device> {
  const { device, config } = aDevice(tokens)
  await mustSucceed(pool, 'ConfirmDevice', {
    AccessToken: tokens.AccessToken,
    DeviceKey: device.key,
    DeviceName: name,
    DeviceSecretVerifierConfig: config,
  })
  return device
}

/** Sends the password and names the device; returns the device challenge. */
export async function beginOnDevice(
  pool: RunningPool,
  person: Pick<Person, 'email' | 'password'>,
  deviceKey: string,
): Promise<Reply> {
  const answer = await beginSignIn(pool, person.email, person.password)
  return await finishSignIn(pool, { ...answer, DEVICE_KEY: deviceKey })
}

/** Begins the proof of the device; returns the reply and the answer that finishes it. */
export async function beginProof(
  pool: RunningPool,
  { body }: Reply,
  device: Device,
): Promise<{ reply: Reply; answer: Record<string, string> }> {
  const client = srpClientOf(device.groupKey)
  const USERNAME = (body['ChallengeParameters'] as Challenge).USER_ID_FOR_SRP
  const reply = await pool.call('RespondToAuthChallenge', {
    ChallengeName: 'DEVICE_SRP_AUTH',
    Session: body['Session'],
    ChallengeResponses: { USERNAME, DEVICE_KEY: device.key, SRP_A: client.A },
  })
  if (reply.status !== 200) return { reply, answer: {} }
  const asked = reply.body['ChallengeParameters'] as Challenge
  const claim = client.answer({ ...asked, USER_ID_FOR_SRP: device.key }, device.secret)
  return { reply, answer: { ...claim, USERNAME, DEVICE_KEY: device.key } }
}

/** Proves the device and returns the last reply. */
export async function proveDevice(pool: RunningPool, asked: Reply, device: Device): Promise<Reply> {
  const { reply, answer } = await beginProof(pool, asked, device)
  if (reply.status !== 200) return reply
  return await pool.call('RespondToAuthChallenge', {
    ChallengeName: 'DEVICE_PASSWORD_VERIFIER',
    Session: reply.body['Session'],
    ChallengeResponses: answer,
  })
}
