import { findDevice } from '../../devices/device-store.ts'
import { openDeviceVerifier } from '../../devices/device-verifier.ts'
import { refusals } from '../../wire/refusals.ts'
import { advance } from '../advance.ts'
import { readSecretBlock } from '../secret-block.ts'
import { isProof, readClaim } from '../srp-claim.ts'
import { type Answer, answerInSession, requiredResponse } from './answer.ts'
import { blockHash, DEVICE_BLOCK } from './answer-device-srp.ts'

/** The second step of a device's own sign-in. What came before it stands in the session, which is always needed. */
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
