import { z } from 'zod'

import type {
  CreateEvent,
  CustomChallenges,
  DefineEvent,
  TriggerEvent,
  VerifyEvent,
} from '../../base/custom-challenges.ts'
import { CognitoError, invalidParameter } from '../../base/errors/refusals.ts'
import type { Pool } from '../../base/ports.ts'

const texts = z.record(z.string(), z.string())

const RESPONSES = {
  define: z.object({
    challengeName: z.string().nullish(),
    issueTokens: z.boolean().nullish(),
    failAuthentication: z.boolean().nullish(),
  }),
  create: z.object({
    publicChallengeParameters: texts.nullish(),
    privateChallengeParameters: texts.nullish(),
    challengeMetadata: z.string().nullish(),
  }),
  verify: z.object({ answerCorrect: z.boolean().nullish() }),
}

const Answered = z.object({ response: z.unknown() })

type Events = { define: DefineEvent; create: CreateEvent; verify: VerifyEvent }
type TriggerName = keyof Events

/** The user as plug-ins see it. */
export type Visitor = { userName: string; userAttributes: Readonly<Record<string, string>>; userNotFound: boolean }

/**
 * Calls one function of the plug-in. Any fault gives one error to the client and a log line without the message of the
 * plug-in, which may contain codes.
 * @throws UnexpectedLambdaException
 */
export async function runTrigger<Name extends TriggerName>(
  pool: Pick<Pool, 'customChallenges' | 'customTimeoutMs' | 'logger'>,
  name: Name,
  event: Events[Name],
): Promise<z.output<(typeof RESPONSES)[Name]>> {
  const { plugIn, timeoutMs } = requireCustomChallenges(pool)
  const call = plugIn[name] as (given: Events[Name]) => unknown
  try {
    const returned = await within(timeoutMs, async () => (await call(event)) ?? event)
    return RESPONSES[name].parse(Answered.parse(returned).response) as z.output<(typeof RESPONSES)[Name]>
  } catch (error) {
    throw customFault(pool, name, error)
  }
}

/** Logs a fault of the plug-in and returns the error for the client. */
export function customFault(pool: Pick<Pool, 'logger'>, trigger: TriggerName, error: unknown): CognitoError {
  const { name, stack = '' } = error instanceof Error ? error : { name: typeof error }
  const frames = stack.split('\n').filter((line) => /^\s+at /u.test(line))
  pool.logger.error({ trigger, type: name, at: frames }, 'a custom challenge failed')
  return new CognitoError('UnexpectedLambdaException', 'The custom challenge failed.')
}

/** @throws InvalidParameterException where no plug-in is set. */
export function requireCustomChallenges(pool: Pick<Pool, 'customChallenges' | 'customTimeoutMs'>): {
  plugIn: CustomChallenges
  timeoutMs: number
} {
  if (!pool.customChallenges) throw invalidParameter('CUSTOM_AUTH flow not enabled for this client')
  return { plugIn: pool.customChallenges, timeoutMs: pool.customTimeoutMs }
}

/** The common fields of the events of all three functions. */
export function eventFor<Source extends string, Request extends object>(
  pool: Pick<Pool, 'clientId' | 'id'>,
  source: Source,
  { userName, userAttributes, userNotFound }: Visitor,
  request: Request & { clientMetadata: Readonly<Record<string, string>> },
): TriggerEvent<Source, Request, Record<never, never>> {
  return {
    version: '1',
    triggerSource: `${source}_Authentication`,
    region: pool.id.slice(0, pool.id.indexOf('_')),
    userPoolId: pool.id,
    userName,
    callerContext: { awsSdkVersion: 'unknown', clientId: pool.clientId },
    request: { ...request, userAttributes, userNotFound },
    response: {},
  }
}

async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`took more than ${ms} ms`))
    }, ms)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}
