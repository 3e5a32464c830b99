import { refusals } from '../base/errors/refusals.ts'

import { saltHex, sha256, startHandshake } from '../base/srp/srp.ts'
import { findDevice } from '../parts/devices/device-store.ts'
import { openDeviceVerifier } from '../parts/devices/device.ts'
import { fingerprintOf } from '../parts/users/password.ts'
import { advance } from './advance.ts'
import { type Answer, answerInSession, requiredResponse } from './answer.ts'
import { challenge } from './session.ts'
import { isProof, makeSecretBlock, readClaim, readSecretBlock, requiredPublicValue } from './srp.ts'

/** In the data of a session at DEVICE_PASSWORD_VERIFIER: the hash of its secret block. */
export const DEVICE_BLOCK = 'block'

export function blockHash(block: string): string {
  return sha256(Buffer.from(block, 'base64')).toString('base64url')
}

/** The first step of device authentication, with its own public value. */
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

/** The second step of device authentication. The session is always required, since it has the earlier proofs. */
export const answerDeviceVerifier: Answer = async (pool, answer) => {
  const deviceKey = requiredResponse(answer, 'DEVICE_KEY')
  const claim = readClaim(answer.responses)
  const state = readSecretBlock(pool, 'device-block', claim.secretBlock)
  return await answerInSession(pool, answer, 'DEVICE_PASSWORD_VERIFIER', async (trx, { session, user }) => {
    const isOwnBlock = session.data?.[DEVICE_BLOCK] === blockHash(claim.secretBlock.toString('base64'))
    if (!user || !isOwnBlock || session.deviceKey !== deviceKey) return refusals.invalidSession()
    const device = await findDevice(trx, { sub: user.sub, device_key: deviceKey })
    if (!device) return refusals.unknownDevice()
    const owner = { poolName: device.group_key, userId: device.device_key }
    const isProven = await isProof(claim, state, {
      owner,
      salt: device.salt,
      verifier: openDeviceVerifier(pool, device),
    })
    if (!isProven) return refusals.incorrectPassword()
    return await advance(pool, trx, user, { ...session, proven: [...session.proven, 'device'] })
  })
}
