import { answerCustom } from '../../custom/answer-custom.ts'
import { answerPasswordVerifier } from '../answer-password-verifier.ts'
import type { ChallengeName } from '../challenge-names.ts'
import { answerChoice } from './answer-choice.ts'
import { answerChosenPassword, answerChosenSrp } from './answer-chosen-password.ts'
import { answerCode } from './answer-code.ts'
import { answerDeviceSrp } from './answer-device-srp.ts'
import { answerDeviceVerifier } from './answer-device-verifier.ts'
import { answerMfaSetup } from './answer-mfa-setup.ts'
import { answerMfaType } from './answer-mfa-type.ts'
import { answerNewPassword } from './answer-new-password.ts'
import { answerPasskey } from './answer-passkey.ts'
import { answerSoftwareToken } from './answer-software-token.ts'
import type { Answer } from './answer.ts'

/** Who judges which challenge. A challenge that is not here is given to nobody, so no session is ever at it. */
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
