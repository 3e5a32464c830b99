/** What can be used of the identity service here; screens do not offer the rest. */
export type Features = {
  passkeys: boolean
  /** Devices are given a secret of their own. */
  devices: boolean
  secondFactors: boolean
  /** The installation asks questions of its own after the password. */
  customChallenges: boolean
  /** What the mail that confirms a sign-up holds. */
  verification: 'code' | 'link'
  /** The name of the external provider one can sign in with; null without one. */
  externalProvider: string | null
  /** The pool has sign-in pages of its own, and what it takes to use them is known. */
  hostedPages: boolean
  /** The installation keeps the accounts itself, and so more of them than Amazon Cognito would. */
  accountService: boolean
  /** Who is not signed in may read by link. */
  guests: boolean
}

let available: Features = {
  passkeys: false,
  devices: false,
  secondFactors: false,
  customChallenges: false,
  verification: 'code',
  externalProvider: null,
  hostedPages: false,
  accountService: false,
  guests: false,
}

/** Called once, before the app is mounted. */
export function setFeatures(features: Features): void {
  available = features
}

export function features(): Features {
  return available
}
