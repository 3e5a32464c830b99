/* oxlint-disable typescript/no-deprecated -- apps that still use this library must be able to sign in */
import {
  AuthenticationDetails,
  CognitoUser,
  CognitoUserAttribute,
  CognitoUserPool,
  type IAuthenticationCallback,
} from 'amazon-cognito-identity-js'

import type { Endpoint } from './client.ts'

/** The current step of a sign-in of the legacy library, named after the callback it calls. */
type Stage =
  | 'signed in'
  | 'totpRequired'
  | 'mfaRequired'
  | 'newPasswordRequired'
  | 'mfaSetup'
  | 'customChallenge'
  | 'selectMFAType'

/** Second factors and attributes of `amazon-cognito-identity-js` for one user. */
export function legacyFactors({ userPoolId, userPoolClientId, userPoolEndpoint }: Endpoint, Username: string) {
  const items = new Map<string, string>()
  const Storage = {
    setItem: (key: string, value: string) => void items.set(key, value),
    getItem: (key: string) => items.get(key) ?? null,
    removeItem: (key: string) => void items.delete(key),
    clear: () => {
      items.clear()
    },
  }
  const Pool = new CognitoUserPool({
    UserPoolId: userPoolId,
    ClientId: userPoolClientId,
    endpoint: userPoolEndpoint,
    Storage,
  })
  let user = new CognitoUser({ Username, Pool, Storage })

  const staged = async (start: (callbacks: IAuthenticationCallback) => void) =>
    await new Promise<Stage>((resolve, reject) => {
      const reach = (stage: Stage) => () => {
        resolve(stage)
      }
      start({
        onSuccess: reach('signed in'),
        onFailure: reject,
        totpRequired: reach('totpRequired'),
        mfaRequired: reach('mfaRequired'),
        newPasswordRequired: reach('newPasswordRequired'),
        mfaSetup: reach('mfaSetup'),
        customChallenge: reach('customChallenge'),
        selectMFAType: reach('selectMFAType'),
      })
    })
  const settled = async (start: (done: (error?: Error | null) => void) => void) => {
    await new Promise<void>((resolve, reject) => {
      start((error) => {
        if (error) reject(error)
        else resolve()
      })
    })
  }
  const begin = async (Password: string, flow: 'USER_SRP_AUTH' | 'USER_PASSWORD_AUTH' | 'CUSTOM_AUTH') => {
    user = new CognitoUser({ Username, Pool, Storage })
    user.setAuthenticationFlowType(flow)
    return await staged((callbacks) => {
      user.authenticateUser(new AuthenticationDetails({ Username, Password }), callbacks)
    })
  }

  return {
    signIn: async (password: string) => await begin(password, 'USER_SRP_AUTH'),
    signInClear: async (password: string) => await begin(password, 'USER_PASSWORD_AUTH'),
    /** Custom challenges after the password, by SRP. */
    signInCustom: async (password: string) => await begin(password, 'CUSTOM_AUTH'),
    /** Custom challenges alone. */
    startCustom: async () => {
      user = new CognitoUser({ Username, Pool, Storage })
      return await staged((callbacks) => {
        user.initiateAuth(new AuthenticationDetails({ Username }), callbacks)
      })
    },
    answerCustom: async (answer: string) =>
      await staged((callbacks) => {
        user.sendCustomChallengeAnswer(answer, callbacks)
      }),
    deviceKeys: async () =>
      await new Promise<string[]>((resolve, reject) => {
        const onSuccess = ({ Devices }: { Devices: { DeviceKey: string }[] }) => {
          resolve(Devices.map(({ DeviceKey }) => DeviceKey))
        }
        user.listDevices(60, null, { onSuccess, onFailure: reject })
      }),
    rememberDevice: async () => {
      await new Promise((resolve, reject) => {
        user.setDeviceStatusRemembered({ onSuccess: resolve, onFailure: reject })
      })
    },
    forgetDevice: async () => {
      await new Promise((resolve, reject) => {
        user.getCachedDeviceKeyAndPassword()
        user.forgetDevice({ onSuccess: resolve, onFailure: reject })
      })
    },
    sendCode: async (code: string, kind: 'SOFTWARE_TOKEN_MFA' | 'SMS_MFA') =>
      await staged((callbacks) => {
        user.sendMFACode(code, callbacks, kind)
      }),
    chooseFactor: async (kind: 'SOFTWARE_TOKEN_MFA' | 'SMS_MFA') =>
      await staged((callbacks) => {
        user.sendMFASelectionAnswer(kind, callbacks)
      }),
    newPassword: async (password: string) =>
      await staged((callbacks) => {
        user.completeNewPasswordChallenge(password, {}, callbacks)
      }),
    associate: async () =>
      await new Promise<string>((resolve, reject) => {
        user.associateSoftwareToken({ associateSecretCode: resolve, onFailure: reject })
      }),
    verify: async (code: string) => {
      await new Promise((resolve, reject) => {
        user.verifySoftwareToken(code, 'phone', { onSuccess: resolve, onFailure: reject })
      })
    },
    preferApp: async () => {
      await settled((done) => {
        user.setUserMfaPreference(null, { PreferredMfa: true, Enabled: true }, done)
      })
    },
    enableSms: async () => {
      await settled((done) => {
        user.enableMFA(done)
      })
    },
    updateAttribute: async (Name: string, Value: string) => {
      await settled((done) => {
        user.updateAttributes([new CognitoUserAttribute({ Name, Value })], done)
      })
    },
    verifyAttribute: async (name: string, code: string) => {
      await new Promise((resolve, reject) => {
        user.verifyAttribute(name, code, { onSuccess: resolve, onFailure: reject })
      })
    },
    deleteUser: async () => {
      await settled((done) => {
        user.deleteUser(done)
      })
    },
  }
}
