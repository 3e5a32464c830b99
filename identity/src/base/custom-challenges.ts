/** A previous challenge, as plug-ins see it. */
export type ChallengeRound = { challengeName: string; challengeResult: boolean; challengeMetadata?: string | undefined }

type Texts = Readonly<Record<string, string>>

/** The events of the three functions, in the shape of Cognito's trigger events. */
export type TriggerEvent<Source extends string, Request, Response> = {
  version: '1'
  triggerSource: `${Source}_Authentication`
  region: string
  userPoolId: string
  userName: string
  callerContext: { awsSdkVersion: string; clientId: string }
  request: Request & {
    userAttributes: Texts
    /** The name is unknown. Proceed as usual; no answer is accepted. */
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
 * A plug-in for CUSTOM_AUTH (docs/custom-challenges.md). Each function fills in the `response` of its event and returns
 * the event or nothing, directly or as a promise.
 */
export type CustomChallenges = {
  /** Chooses the next step: a challenge, tokens, or the end. */
  define: (event: DefineEvent) => unknown
  /** Sets the public question and the private right answer. */
  create: (event: CreateEvent) => unknown
  /** Checks an answer. */
  verify: (event: VerifyEvent) => unknown
}
