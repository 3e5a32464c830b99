import fc, { type Arbitrary } from 'fast-check'

import { Known } from './known.ts'
import { callerOf, type FuzzRequest, headerText, isCut, rawBody } from './parts.ts'
import { anyText, bodyOf, mostly } from './values.ts'

const USER_POOL = 'AWSCognitoIdentityProviderService'
const IDENTITY_POOL = 'AWSCognitoIdentityService'

/** The fields of each operation. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  AdminGetUser: ['UserPoolId', 'Username'],
  AssociateSoftwareToken: ['AccessToken', 'Session'],
  ChangePassword: ['AccessToken', 'PreviousPassword', 'ProposedPassword'],
  CompleteWebAuthnRegistration: ['AccessToken', 'Credential'],
  ConfirmDevice: ['AccessToken', 'DeviceKey', 'DeviceName', 'DeviceSecretVerifierConfig'],
  ConfirmForgotPassword: ['ClientId', 'Username', 'ConfirmationCode', 'Password'],
  ConfirmSignUp: ['ClientId', 'Username', 'ConfirmationCode', 'ForceAliasCreation', 'Session'],
  DeleteUser: ['AccessToken'],
  DeleteUserAttributes: ['AccessToken', 'UserAttributeNames'],
  DeleteWebAuthnCredential: ['AccessToken', 'CredentialId'],
  ForgetDevice: ['AccessToken', 'DeviceKey'],
  ForgotPassword: ['ClientId', 'Username'],
  GetCredentialsForIdentity: ['IdentityId', 'Logins'],
  GetDevice: ['AccessToken', 'DeviceKey'],
  GetId: ['IdentityPoolId', 'Logins'],
  GetTokensFromRefreshToken: ['ClientId', 'RefreshToken', 'DeviceKey'],
  GetUser: ['AccessToken'],
  GetUserAttributeVerificationCode: ['AccessToken', 'AttributeName'],
  GetUserAuthFactors: ['AccessToken'],
  GlobalSignOut: ['AccessToken'],
  InitiateAuth: ['ClientId', 'AuthFlow', 'AuthParameters', 'Session', 'ClientMetadata'],
  ListDevices: ['AccessToken', 'Limit', 'PaginationToken'],
  ListWebAuthnCredentials: ['AccessToken', 'MaxResults', 'NextToken'],
  ResendConfirmationCode: ['ClientId', 'Username'],
  RespondToAuthChallenge: ['ClientId', 'ChallengeName', 'ChallengeResponses', 'Session', 'ClientMetadata'],
  RevokeToken: ['ClientId', 'Token'],
  SetUserMFAPreference: ['AccessToken', 'SoftwareTokenMfaSettings', 'EmailMfaSettings', 'SMSMfaSettings'],
  SetUserSettings: ['AccessToken', 'MFAOptions'],
  SignUp: ['ClientId', 'Username', 'Password', 'UserAttributes', 'ValidationData'],
  StartWebAuthnRegistration: ['AccessToken'],
  UpdateDeviceStatus: ['AccessToken', 'DeviceKey', 'DeviceRememberedStatus'],
  UpdateUserAttributes: ['AccessToken', 'UserAttributes'],
  VerifySoftwareToken: ['AccessToken', 'Session', 'UserCode', 'FriendlyDeviceName'],
  VerifyUserAttribute: ['AccessToken', 'AttributeName', 'Code'],
}
const OF_IDENTITY_POOL = new Set(['GetCredentialsForIdentity', 'GetId'])

const known = (name: string) => fc.nat({ max: 100 }).map((nth): unknown => new Known(name, nth))
const login = fc.oneof(known('login'), known('loginEmail'), fc.constantFrom('unknown', 'unknown@example.com'))
const password = fc.constantFrom('Passw0rdX', 'Passw0rdY', 'short', ' Passw0rdX')
const code = fc.oneof(known('code'), fc.constantFrom('123456', '12345678'))
const token = fc.oneof({ weight: 6, arbitrary: known('AccessToken') }, { weight: 1, arbitrary: known('IdToken') })
const publicValue = fc.constantFrom('2', '0', 'f'.repeat(768), 'ab'.repeat(300))

/** Values of a passkey, as far as they can be generated. */
const credential = fc.record({
  id: fc.constantFrom('AAAA', 'not base64url!'),
  rawId: fc.constant('AAAA'),
  type: fc.constantFrom('public-key', 'x'),
  clientExtensionResults: fc.constant({}),
  response: fc.record({
    clientDataJSON: mostly(fc.constant(Buffer.from('{"challenge":"AAAA","origin":"x"}').toString('base64url'))),
    attestationObject: mostly(fc.constant('o2NmbXRkbm9uZQ')),
    authenticatorData: mostly(fc.constant('AAAA')),
    signature: mostly(fc.constant('AAAA')),
    transports: mostly(fc.constant(['usb'])),
  }),
})

/** The entries of AuthParameters and ChallengeResponses. */
const parameters = fc.record(
  {
    USERNAME: mostly(login),
    PASSWORD: mostly(password),
    NEW_PASSWORD: mostly(password),
    SRP_A: mostly(publicValue),
    REFRESH_TOKEN: mostly(known('RefreshToken')),
    DEVICE_KEY: mostly(known('DeviceKey')),
    PREFERRED_CHALLENGE: fc.constantFrom('PASSWORD', 'PASSWORD_SRP', 'EMAIL_OTP', 'WEB_AUTHN'),
    ANSWER: mostly(fc.constantFrom('PASSWORD', 'EMAIL_OTP', 'SOFTWARE_TOKEN_MFA', 'WEB_AUTHN')),
    SOFTWARE_TOKEN_MFA_CODE: mostly(code),
    EMAIL_OTP_CODE: mostly(code),
    EMAIL: mostly(login),
    PASSWORD_CLAIM_SECRET_BLOCK: mostly(known('SECRET_BLOCK')),
    PASSWORD_CLAIM_SIGNATURE: mostly(fc.constant(Buffer.alloc(32).toString('base64'))),
    TIMESTAMP: mostly(fc.constant('Sat Sep 5 09:03:07 UTC 2026')),
    CREDENTIAL: mostly(credential.map((made) => JSON.stringify(made))),
  },
  { requiredKeys: ['USERNAME'] },
)

const AUTH_FLOWS = [
  'USER_SRP_AUTH',
  'USER_PASSWORD_AUTH',
  'USER_AUTH',
  'REFRESH_TOKEN_AUTH',
  'CUSTOM_AUTH',
  'ADMIN_NO_SRP_AUTH',
]
const CHALLENGES = [
  'PASSWORD_VERIFIER',
  'SELECT_CHALLENGE',
  'PASSWORD',
  'PASSWORD_SRP',
  'EMAIL_OTP',
  'SOFTWARE_TOKEN_MFA',
  'MFA_SETUP',
  'NEW_PASSWORD_REQUIRED',
  'DEVICE_SRP_AUTH',
  'DEVICE_PASSWORD_VERIFIER',
  'WEB_AUTHN',
  'CUSTOM_CHALLENGE',
]

const mfaSettings = fc.record({ Enabled: mostly(fc.boolean()), PreferredMfa: mostly(fc.boolean()) })
const attribute = fc.record({
  Name: mostly(fc.constantFrom('email', 'phone_number', 'sub')),
  Value: mostly(fc.constantFrom('zoe@example.com', '+4915112345678', '')),
})

const FIELDS: Readonly<Record<string, Arbitrary<unknown>>> = {
  AccessToken: token,
  AttributeName: fc.constantFrom('email', 'phone_number', 'sub'),
  AuthFlow: fc.constantFrom(...AUTH_FLOWS),
  AuthParameters: parameters,
  ChallengeName: fc.constantFrom(...CHALLENGES),
  ChallengeResponses: parameters,
  ClientId: known('ClientId'),
  ClientMetadata: fc.dictionary(anyText, mostly(anyText), { maxKeys: 2 }),
  Code: code,
  ConfirmationCode: code,
  Credential: credential,
  CredentialId: known('CredentialId'),
  DeviceKey: known('DeviceKey'),
  DeviceRememberedStatus: fc.constantFrom('remembered', 'not_remembered'),
  DeviceSecretVerifierConfig: fc.record({
    Salt: mostly(fc.constant(Buffer.alloc(16, 1).toString('base64'))),
    PasswordVerifier: mostly(fc.constant(Buffer.alloc(384, 1).toString('base64'))),
  }),
  EmailMfaSettings: mfaSettings,
  ForceAliasCreation: fc.boolean(),
  IdentityId: known('IdentityId'),
  IdentityPoolId: known('IdentityPoolId'),
  Limit: fc.integer({ min: -1, max: 61 }),
  Logins: fc.oneof(fc.constant({}), fc.dictionary(anyText, mostly(known('IdToken')), { maxKeys: 2 })),
  MaxResults: fc.integer({ min: -1, max: 21 }),
  MFAOptions: fc.array(fc.record({ DeliveryMedium: mostly(fc.constant('SMS')) }), { maxLength: 2 }),
  Password: password,
  PreviousPassword: password,
  ProposedPassword: password,
  RefreshToken: known('RefreshToken'),
  SMSMfaSettings: mfaSettings,
  Session: known('Session'),
  SoftwareTokenMfaSettings: mfaSettings,
  Token: known('RefreshToken'),
  UserAttributeNames: fc.array(mostly(fc.constantFrom('phone_number', 'email')), { maxLength: 3 }),
  UserAttributes: fc.array(attribute, { maxLength: 3 }),
  UserCode: code,
  UserPoolId: known('UserPoolId'),
  Username: login,
}

/** Requests to every operation of the user pool and the identity pool. */
export function identityRequests(users: number): Arbitrary<FuzzRequest> {
  return fc.oneof(...Object.entries(OPERATIONS).map(([name, fields]) => requestTo(name, fields, users)))
}

function requestTo(name: string, fields: readonly string[], users: number): Arbitrary<FuzzRequest> {
  const service = OF_IDENTITY_POOL.has(name) ? IDENTITY_POOL : USER_POOL
  const body = bodyOf(Object.fromEntries(fields.map((field) => [field, mostly(FIELDS[field] ?? anyText)])))
  return fc.record({
    name: fc.constant(name),
    method: fc.oneof({ weight: 40, arbitrary: fc.constant('POST') }, { weight: 1, arbitrary: fc.constant('OPTIONS') }),
    path: fc.constantFrom('/identity/', '/identity'),
    params: fc.constant({}),
    query: fc.constant([]),
    headers: fc.record(
      {
        'content-type': fc.constantFrom('application/x-amz-json-1.1', 'application/json', 'text/plain'),
        'x-amz-target': fc.oneof(
          { weight: 20, arbitrary: fc.constant(`${service}.${name}`) },
          { weight: 1, arbitrary: headerText },
        ),
        authorization: headerText.map((text) => `AWS4-HMAC-SHA256 ${text}`),
      },
      { requiredKeys: ['content-type', 'x-amz-target'] },
    ),
    caller: callerOf(users),
    body: fc.oneof({ weight: 20, arbitrary: fc.record({ json: body }) }, { weight: 1, arbitrary: rawBody }),
    isCut,
  })
}
