import type { Operation } from '../wire/operation.ts'
import { associateSoftwareToken } from './associate-software-token.ts'
import { changePassword } from './change-password.ts'
import { completeWebAuthnRegistration } from './complete-web-authn-registration.ts'
import { confirmDevice } from './confirm-device.ts'
import { confirmForgotPassword } from './confirm-forgot-password.ts'
import { confirmSignUp } from './confirm-sign-up.ts'
import { deleteUserAttributes } from './delete-user-attributes.ts'
import { deleteWebAuthnCredential } from './delete-web-authn-credential.ts'
import { deleteUser } from './delete-user.ts'
import { forgetDevice } from './forget-device.ts'
import { forgotPassword } from './forgot-password.ts'
import { getDevice } from './get-device.ts'
import { getTokensFromRefreshToken } from './get-tokens-from-refresh-token.ts'
import { getUserAttributeVerificationCode } from './get-user-attribute-verification-code.ts'
import { getUserAuthFactors } from './get-user-auth-factors.ts'
import { getUser } from './get-user.ts'
import { globalSignOut } from './global-sign-out.ts'
import { initiateAuth } from './initiate-auth.ts'
import { listDevices } from './list-devices.ts'
import { listWebAuthnCredentials } from './list-web-authn-credentials.ts'
import { resendConfirmationCode } from './resend-confirmation-code.ts'
import { respondToAuthChallenge } from './respond-to-auth-challenge.ts'
import { revokeToken } from './revoke-token.ts'
import { setUserMfaPreference } from './set-user-mfa-preference.ts'
import { setUserSettings } from './set-user-settings.ts'
import { signUp } from './sign-up.ts'
import { startWebAuthnRegistration } from './start-web-authn-registration.ts'
import { updateDeviceStatus } from './update-device-status.ts'
import { updateUserAttributes } from './update-user-attributes.ts'
import { verifySoftwareToken } from './verify-software-token.ts'
import { verifyUserAttribute } from './verify-user-attribute.ts'

/** Every operation by the name clients put after the last dot of `X-Amz-Target`. */
const BY_NAME = {
  AssociateSoftwareToken: associateSoftwareToken,
  ChangePassword: changePassword,
  CompleteWebAuthnRegistration: completeWebAuthnRegistration,
  ConfirmDevice: confirmDevice,
  ConfirmForgotPassword: confirmForgotPassword,
  ConfirmSignUp: confirmSignUp,
  DeleteUser: deleteUser,
  DeleteUserAttributes: deleteUserAttributes,
  DeleteWebAuthnCredential: deleteWebAuthnCredential,
  ForgetDevice: forgetDevice,
  ForgotPassword: forgotPassword,
  GetDevice: getDevice,
  GetTokensFromRefreshToken: getTokensFromRefreshToken,
  GetUser: getUser,
  GetUserAttributeVerificationCode: getUserAttributeVerificationCode,
  GetUserAuthFactors: getUserAuthFactors,
  GlobalSignOut: globalSignOut,
  InitiateAuth: initiateAuth,
  ListDevices: listDevices,
  ListWebAuthnCredentials: listWebAuthnCredentials,
  ResendConfirmationCode: resendConfirmationCode,
  RespondToAuthChallenge: respondToAuthChallenge,
  RevokeToken: revokeToken,
  SetUserMFAPreference: setUserMfaPreference,
  SetUserSettings: setUserSettings,
  SignUp: signUp,
  StartWebAuthnRegistration: startWebAuthnRegistration,
  UpdateDeviceStatus: updateDeviceStatus,
  UpdateUserAttributes: updateUserAttributes,
  VerifySoftwareToken: verifySoftwareToken,
  VerifyUserAttribute: verifyUserAttribute,
}

/** What the operations need together. */
export type OperationPorts = typeof BY_NAME extends Record<string, Operation<infer Ports>> ? Ports : never

export const OPERATIONS: ReadonlyMap<string, Operation<OperationPorts>> = new Map(Object.entries(BY_NAME))
