import { answerDeviceSrp, answerDeviceVerifier } from './answer-device.ts'
import {
  answerChoice,
  answerChosenPassword,
  answerChosenSrp,
  answerNewPassword,
  answerPasskey,
} from './answer-first-factor.ts'
import { answerPasswordVerifier } from './answer-password-verifier.ts'
import { answerCode, answerMfaSetup, answerMfaType, answerSoftwareToken } from './answer-second-factor.ts'
import type { Answer } from './answer.ts'
import { answerCustom } from './custom.ts'
import type { ChallengeName } from './session.ts'

/** The function that judges each challenge. Other challenges are never issued, so no session is ever at one. */
export const ANSWERS: ReadonlyMap<ChallengeName, Answer> = new Map<ChallengeName, Answer>([
  ['CUSTOM_CHALLENGE', answerCustom],
  ['DEVICE_PASSWORD_VERIFIER', answerDeviceVerifier],
  ['DEVICE_SRP_AUTH', answerDeviceSrp],
  ['EMAIL_OTP', answerCode('EMAIL_OTP')],
  ['MFA_SETUP', answerMfaSetup],
  ['NEW_PASSWORD_REQUIRED', answerNewPassword],
  ['PASSWORD', answerChosenPassword],
  ['PASSWORD_SRP', answerChosenSrp],
  ['PASSWORD_VERIFIER', answerPasswordVerifier],
  ['SELECT_CHALLENGE', answerChoice],
  ['SELECT_MFA_TYPE', answerMfaType],
  ['SMS_MFA', answerCode('SMS_MFA')],
  ['SMS_OTP', answerCode('SMS_OTP')],
  ['SOFTWARE_TOKEN_MFA', answerSoftwareToken],
  ['WEB_AUTHN', answerPasskey],
])
