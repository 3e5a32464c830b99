import './amplify-account.ts'
import type { Passkey } from '@marquee/contract/entities/account'
import {
  associateWebAuthnCredential,
  confirmUserAttribute,
  deleteWebAuthnCredential,
  deleteUser,
  fetchAuthSession,
  fetchDevices,
  fetchMFAPreference,
  fetchUserAttributes,
  forgetDevice as amplifyForgetDevice,
  listWebAuthnCredentials,
  sendUserAttributeVerificationCode,
  setUpTOTP,
  signOut,
  updateMFAPreference,
  updateUserAttribute,
  verifyTOTPSetup,
} from 'aws-amplify/auth'

/** The second factors of a sign-in. */
export type SecondFactors = { app: boolean; mail: boolean }

export async function readSecondFactors(): Promise<SecondFactors> {
  const { enabled = [] } = await fetchMFAPreference()
  return { app: enabled.includes('TOTP'), mail: enabled.includes('EMAIL') }
}

/** Gets a secret for an authenticator app, as text and as the URI of its QR code. */
export async function beginAppSetup(product: string, account: string): Promise<{ secret: string; uri: string }> {
  const setup = await setUpTOTP()
  return { secret: setup.sharedSecret, uri: setup.getSetupUri(product, account).href }
}

/** Verifies a code of the app, and turns the second factor on. */
export async function finishAppSetup(code: string): Promise<void> {
  await verifyTOTPSetup({ code })
  await updateMFAPreference({ totp: 'ENABLED' })
}

export async function turnAppOff(): Promise<void> {
  await updateMFAPreference({ totp: 'DISABLED' })
}

export async function setMailCodes(isOn: boolean): Promise<void> {
  await updateMFAPreference({ email: isOn ? 'ENABLED' : 'DISABLED' })
}

/** The address of the signed-in user. */
export async function readEmail(): Promise<string> {
  return (await fetchUserAttributes()).email ?? ''
}

/** Sends a code to a new address. The old address stays until the code is confirmed. */
export async function beginEmailChange(email: string): Promise<'code-sent' | 'unchanged'> {
  const { nextStep } = await updateUserAttribute({ userAttribute: { attributeKey: 'email', value: email } })
  return nextStep.updateAttributeStep === 'DONE' ? 'unchanged' : 'code-sent'
}

export async function resendEmailCode(): Promise<void> {
  await sendUserAttributeVerificationCode({ userAttributeKey: 'email' })
}

export async function finishEmailChange(confirmationCode: string): Promise<void> {
  await confirmUserAttribute({ userAttributeKey: 'email', confirmationCode })
  await fetchAuthSession({ forceRefresh: true })
}

/** How long ago the user signed in, in ms, by the clock of the service. A new token has both times. */
export async function readSignInAge(): Promise<number> {
  const { tokens } = await fetchAuthSession({ forceRefresh: true })
  const { iat, auth_time: signedInAt } = tokens?.idToken?.payload ?? {}
  if (typeof iat !== 'number' || typeof signedInAt !== 'number') throw new Error('The id token does not tell')
  return Math.max(0, iat - signedInAt) * 1000
}

/** Ends all sessions of the user, including this one. */
export async function signOutEverywhere(): Promise<void> {
  await signOut({ global: true })
}

/** Deletes the account and its sessions. */
export async function deleteAccount(): Promise<void> {
  await deleteUser()
}

/** Creates a passkey. Rejects with `PasskeyRegistrationCanceled` if the user cancels. */
export async function addPasskey(): Promise<void> {
  await associateWebAuthnCredential()
}

/** The passkeys of the user from the pool, which does not know when they were used. */
export async function readPasskeys(): Promise<Passkey[]> {
  const passkeys: Passkey[] = []
  let nextToken: string | undefined
  do {
    const page = await listWebAuthnCredentials({ pageSize: 20, ...(nextToken !== undefined && { nextToken }) })
    for (const { credentialId, friendlyCredentialName: name, createdAt } of page.credentials) {
      if (credentialId === undefined || createdAt === undefined) continue
      passkeys.push({ passkeyId: credentialId, name: name ?? '', createdAt: createdAt.toISOString(), usedAt: null })
    }
    nextToken = page.nextToken
  } while (nextToken !== undefined)
  return passkeys
}

export async function removePasskey(passkeyId: string): Promise<void> {
  await deleteWebAuthnCredential({ credentialId: passkeyId })
}

/** A device on which the user signed in, with the time of the last sign-in. */
export type Device = { deviceId: string; name: string | undefined; signedInAt: string | undefined }

export async function listDevices(): Promise<Device[]> {
  const devices = await fetchDevices()
  return devices.map(({ id, name, lastAuthenticatedDate }) => ({
    deviceId: id,
    name,
    signedInAt: lastAuthenticatedDate?.toISOString(),
  }))
}

/** Forgets a device and ends its sessions. */
export async function forgetDevice(deviceId: string): Promise<void> {
  await amplifyForgetDevice({ device: { id: deviceId } })
}
