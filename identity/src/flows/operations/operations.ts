import type { Operation } from '../../base/requests/operation.ts'
import {
  deleteUserAttributes,
  getUserAttributeVerificationCode,
  updateUserAttributes,
  verifyUserAttribute,
} from './attributes.ts'
import { confirmDevice, forgetDevice, getDevice, listDevices, updateDeviceStatus } from './devices.ts'
import { associateSoftwareToken, setUserMfaPreference, setUserSettings, verifySoftwareToken } from './mfa.ts'
import {
  completeWebAuthnRegistration,
  deleteWebAuthnCredential,
  listWebAuthnCredentials,
  startWebAuthnRegistration,
} from './passkeys.ts'
import { changePassword, confirmForgotPassword, forgotPassword } from './password.ts'
import {
  getTokensFromRefreshToken,
  globalSignOut,
  initiateAuth,
  respondToAuthChallenge,
  revokeToken,
} from './sign-in.ts'
import { confirmSignUp, resendConfirmationCode, signUp } from './sign-up.ts'
import { deleteUser, getUser, getUserAuthFactors } from './users.ts'

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
