/** A challenge so far, as plug-ins see it. */
export type ChallengeRound = { challengeName: string; challengeResult: boolean; challengeMetadata?: string | undefined }

type Texts = Readonly<Record<string, string>>

/** What the three functions are called with: the shape of Cognito's trigger events. */
export type TriggerEvent<Source extends string, Request, Response> = {
  version: '1'
  triggerSource: `${Source}_Authentication`
  region: string
  userPoolId: string
  userName: string
  callerContext: { awsSdkVersion: string; clientId: string }
  request: Request & {
    userAttributes: Texts
    /** The name is unknown: proceed as usual; no answer will be right. */
    userNotFound: boolean
    clientMetadata: Texts
  }
  response: Response
}

type Unset<T> = { [Key in keyof T]?: T[Key] | null | undefined }

export type DefineEvent = TriggerEvent<
  'DefineAuthChallenge',
  { session: ChallengeRound[] },
  Unset<{ challengeName: string; issueTokens: boolean; failAuthentication: boolean }>
>
export type CreateEvent = TriggerEvent<
  'CreateAuthChallenge',
  { challengeName: string; session: ChallengeRound[] },
  Unset<{ publicChallengeParameters: Texts; privateChallengeParameters: Texts; challengeMetadata: string }>
>
export type VerifyEvent = TriggerEvent<
  'VerifyAuthChallengeResponse',
  { privateChallengeParameters: Texts; challengeAnswer: string },
  Unset<{ answerCorrect: boolean }>
>

/**
 * A plug-in for CUSTOM_AUTH (docs/custom-challenges.md). Each function fills in the `response` of its event, and gives
 * the event back or nothing, at once or later.
 */
export type CustomChallenges = {
  /** What comes next: a challenge, tokens, or the end. */
  define: (event: DefineEvent) => unknown
  /** What is asked, in public, and what the right answer is, in private. */
  create: (event: CreateEvent) => unknown
  /** Whether an answer is right. */
  verify: (event: VerifyEvent) => unknown
}
