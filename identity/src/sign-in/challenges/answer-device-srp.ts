import { findDevice } from '../../devices/device-store.ts'
import { openDeviceVerifier } from '../../devices/device-verifier.ts'
import { sha256 } from '../../srp/group.ts'
import { startHandshake } from '../../srp/handshake.ts'
import { saltHex } from '../../srp/verifier.ts'
import { fingerprintOf } from '../../users/password-verifier.ts'
import { refusals } from '../../wire/refusals.ts'
import { makeSecretBlock } from '../secret-block.ts'
import { requiredPublicValue } from '../srp-challenge.ts'
import { challenge } from '../step.ts'
import { type Answer, answerInSession, requiredResponse } from './answer.ts'

/** In the data of a session at DEVICE_PASSWORD_VERIFIER: which block it goes with. */
export const DEVICE_BLOCK = 'block'

export function blockHash(block: string): string {
  return sha256(Buffer.from(block, 'base64')).toString('base64url')
}

/** The first step of a device's own sign-in, with its own public value (identity.md 3.6). */
export const answerDeviceSrp: Answer = async (pool, answer) => {
  const deviceKey = requiredResponse(answer, 'DEVICE_KEY')
  const A = requiredPublicValue(answer.responses)
  return await answerInSession(pool, answer, 'DEVICE_SRP_AUTH', async (trx, { session, user }) => {
    if (!user || session.deviceKey !== deviceKey) return refusals.unknownDevice()
    const device = await findDevice(trx, { sub: user.sub, device_key: deviceKey })
    if (!device) return refusals.unknownDevice()
    const { B, handshake } = startHandshake(A, openDeviceVerifier(pool, device), pool.random)
    const fingerprint = fingerprintOf(device.salt)
    const block = makeSecretBlock(pool, 'device-block', { sub: user.sub, fingerprint, flow: session.flow, handshake })
    return challenge(pool, user, session, {
      name: 'DEVICE_PASSWORD_VERIFIER',
      parameters: {
        SALT: saltHex(device.salt),
        SECRET_BLOCK: block,
        SRP_B: B,
        USERNAME: user.sub,
        DEVICE_KEY: deviceKey,
      },
      data: { [DEVICE_BLOCK]: blockHash(block) },
    })
  })
}
