import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger, type Logger } from '@marquee/platform/runtime/logger'
import { eachStatement } from '@marquee/platform/testing/each-database'

import type { CreateEvent, CustomChallenges, DefineEvent, VerifyEvent } from '../base/custom-challenges.ts'
import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../testing/a-pool.ts'
import { beginOnDevice, confirmDevice, proveDevice } from '../testing/devices.ts'
import { aConfirmedUser, aPerson, type Reply, signIn, signUp, tokensOf } from '../testing/people.ts'
import { type Challenge, srpClient } from '../testing/srp-client.ts'
import { appCode, aUserWithApp, mustSucceed, respond } from '../testing/second-factors.ts'

const STEP_MS = 30_000
const SECRET = 'the butler'
const refusal = (type: string, message: string) => ({ status: 400, body: { __type: type, message } })
const WRONG = refusal('NotAuthorizedException', 'Incorrect username or password.')
const FAILED = refusal('UnexpectedLambdaException', 'The custom challenge failed.')
const SIGNED_IN = { status: 200, body: { AuthenticationResult: { TokenType: 'Bearer' } } }

/** Asks two questions and ends after three wrong answers; comes after the password if the client begins with SRP. */
const riddles: CustomChallenges = {
  define: (event: DefineEvent) => {
    const asked = event.request.session.filter(({ challengeName }) => challengeName === 'CUSTOM_CHALLENGE')
    const right = asked.filter(({ challengeResult }) => challengeResult).length
    const isAfterSrp = event.request.session.at(-1)?.challengeName === 'SRP_A'
    if (right === 2) event.response.issueTokens = true
    else if (asked.length - right >= 3) event.response.failAuthentication = true
    else event.response.challengeName = isAfterSrp ? 'PASSWORD_VERIFIER' : 'CUSTOM_CHALLENGE'
    return event
  },
  create: async (event: CreateEvent) => {
    await Promise.resolve()
    const number = event.request.session.filter(({ challengeResult }) => challengeResult).length
    event.response.publicChallengeParameters = { question: `Who did it (${number})?`, USERNAME: 'another user' }
    event.response.privateChallengeParameters = { answer: SECRET }
    event.response.challengeMetadata = `RIDDLE_${number}`
  },
  verify: (event: VerifyEvent) => ({
    ...event,
    response: { answerCorrect: event.request.challengeAnswer === event.request.privateChallengeParameters['answer'] },
  }),
}

eachStatement(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let clock: TestClock
  let plugIn: CustomChallenges
  const seen: (DefineEvent | CreateEvent | VerifyEvent)[] = []
  const logged: object[] = []
  beforeAll(async () => {
    clock = testClock()
    const logger = createLogger('silent')
    const error: Logger['error'] = (fields: object) => {
      logged.push(fields)
    }
    const customChallenges: CustomChallenges = {
      define: (event) => {
        seen.push(structuredClone(event))
        return plugIn.define(event)
      },
      create: (event) => {
        seen.push(structuredClone(event))
        return plugIn.create(event)
      },
      verify: (event) => {
        seen.push(structuredClone(event))
        return plugIn.verify(event)
      },
    }
    const settings = { customChallenges, customTimeoutMs: 20, deviceTracking: 'on' as const }
    pool = await aPool(useDatabase(), { clock, settings, logger: Object.assign(logger, { error }) })
  })
  beforeEach(() => {
    plugIn = riddles
    seen.length = 0
    logged.length = 0
  })
  afterAll(async () => {
    await pool.close()
  })

  const begin = async (USERNAME: string, more: Record<string, string> = {}) =>
    await pool.call('InitiateAuth', {
      AuthFlow: 'CUSTOM_AUTH',
      AuthParameters: { USERNAME, ...more },
      ClientMetadata: { from: 'the test' },
    })
  const answer = async (asked: Reply, ANSWER: string, name: string) => await respond(pool, asked, { ANSWER }, name)

  test('a user who answers all challenges signs in without a password', async () => {
    const zoe = await aConfirmedUser(pool)

    const first = await begin(zoe.email)
    expect(first.body).toMatchObject({
      ChallengeName: 'CUSTOM_CHALLENGE',
      ChallengeParameters: { question: 'Who did it (0)?', USERNAME: zoe.sub, USER_ID_FOR_SRP: zoe.sub },
    })
    const second = await answer(first, SECRET, zoe.email)
    expect(second.body).toMatchObject({ ChallengeParameters: { question: 'Who did it (1)?' } })
    expect(await answer(second, SECRET, zoe.email)).toMatchObject(SIGNED_IN)
  })

  test('the plug-in sees whether the previous answer was right', async () => {
    const zoe = await aConfirmedUser(pool)
    const parametersOf = ({ body }: Reply) => body['ChallengeParameters'] as Record<string, string>

    const first = await begin(zoe.email)
    const second = await answer(first, 'the cook', zoe.email)
    const third = await answer(second, SECRET, zoe.email)

    expect([first, second, third].map((asked) => parametersOf(asked)['previousAnswer'])).toEqual([
      undefined,
      'wrong',
      'right',
    ])
  })

  test('private parameters are neither in the reply nor readable in the session', async () => {
    const zoe = await aConfirmedUser(pool)
    const { body } = await begin(zoe.email)

    const session = Buffer.from(String(body['Session']), 'base64url').toString('latin1')
    for (const shown of [JSON.stringify(body), session]) expect(shown).not.toContain(SECRET)
  })

  test('the plug-in gets the user, the rounds so far and the client metadata', async () => {
    const zoe = await aConfirmedUser(pool)
    await answer(await begin(zoe.email), 'the cook', zoe.email)

    const [define, create, verify, again] = seen
    expect(define).toEqual({
      version: '1',
      triggerSource: 'DefineAuthChallenge_Authentication',
      region: 'us-east-1',
      userPoolId: pool.identity.pool.userPoolId,
      userName: zoe.username,
      callerContext: { awsSdkVersion: 'unknown', clientId: pool.identity.pool.userPoolClientId },
      request: {
        session: [],
        clientMetadata: { from: 'the test' },
        userAttributes: {
          sub: zoe.sub,
          email: zoe.email,
          email_verified: 'true',
          'cognito:user_status': 'CONFIRMED',
        },
        userNotFound: false,
      },
      response: {},
    })
    expect(create).toMatchObject({
      triggerSource: 'CreateAuthChallenge_Authentication',
      request: { challengeName: 'CUSTOM_CHALLENGE', session: [] },
    })
    expect(verify).toMatchObject({
      triggerSource: 'VerifyAuthChallengeResponse_Authentication',
      request: { challengeAnswer: 'the cook', privateChallengeParameters: { answer: SECRET } },
    })
    const round = { challengeName: 'CUSTOM_CHALLENGE', challengeResult: false, challengeMetadata: 'RIDDLE_0' }
    expect(again).toMatchObject({ request: { session: [round] } })
  })

  test('the plug-in can allow retries after wrong answers and then end the sign-in', async () => {
    const zoe = await aConfirmedUser(pool)
    let asked = await begin(zoe.email)
    for (let time = 1; time <= 2; time += 1) {
      asked = await answer(asked, 'the cook', zoe.email)
      expect(asked.body).toMatchObject({ ChallengeName: 'CUSTOM_CHALLENGE' })
    }

    expect(await answer(asked, 'the cook', zoe.email)).toEqual(WRONG)
  })

  test('an answer is verified only once, even if it is sent twice concurrently', { tags: ['race'] }, async () => {
    const zoe = await aConfirmedUser(pool)
    const asked = await begin(zoe.email)

    const replies = await Promise.all(['the cook', SECRET, SECRET].map(async (a) => await answer(asked, a, zoe.email)))

    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(seen.filter(({ triggerSource }) => triggerSource.startsWith('Verify'))).toHaveLength(1)
  })

  test('guesses over many sign-ins lead to a lockout, whatever the plug-in allows', async () => {
    const zoe = await aConfirmedUser(pool)
    for (let time = 1; time <= 5; time += 1) await answer(await begin(zoe.email), 'the cook', zoe.email)
    const LOCKED = refusal('NotAuthorizedException', 'Password attempts exceeded')

    expect(await answer(await begin(zoe.email), SECRET, zoe.email)).toEqual(LOCKED)
    clock.advance(1000)
    expect(await answer(await begin(zoe.email), SECRET, zoe.email)).toMatchObject({ status: 200 })
  })

  test('the plug-in of an SRP sign-in asks only after the right password', async () => {
    const zoe = await aConfirmedUser(pool)
    const client = srpClient(pool.identity.pool.userPoolId)
    const asked = await begin(zoe.email, { CHALLENGE_NAME: 'SRP_A', SRP_A: client.A })
    expect(asked.body).toMatchObject({ ChallengeName: 'PASSWORD_VERIFIER' })
    const parameters = asked.body['ChallengeParameters'] as Challenge

    expect(await respond(pool, asked, client.answer(parameters, 'Wr0ngPassword'), zoe.email)).toEqual(WRONG)
    expect(seen).toHaveLength(1)
    const proof = client.answer(parameters, zoe.password)
    const withoutSession = { ...asked, body: { ...asked.body, Session: undefined } }
    expect(await respond(pool, withoutSession, proof, zoe.email)).toMatchObject({ status: 400 })
    const first = await respond(pool, asked, proof, zoe.email)
    expect(first.body).toMatchObject({ ChallengeName: 'CUSTOM_CHALLENGE' })
    expect(seen[1]).toMatchObject({
      request: {
        session: [
          { challengeName: 'SRP_A', challengeResult: true },
          { challengeName: 'PASSWORD_VERIFIER', challengeResult: true },
        ],
      },
    })
    expect(await respond(pool, asked, proof, zoe.email)).toEqual(
      refusal('NotAuthorizedException', 'Invalid session for the user, session can only be used once.'),
    )
    const second = await answer(first, SECRET, zoe.email)
    expect(await answer(second, SECRET, zoe.email)).toMatchObject(SIGNED_IN)
  })

  test('an unknown name gets the same challenges, but right answers do not sign in', async () => {
    const unknown = 'unknown@example.com'
    const first = await begin(unknown)
    expect(seen[0]).toMatchObject({ userName: unknown, request: { userNotFound: true, userAttributes: {} } })
    const known = await begin((await aConfirmedUser(pool)).email)
    expect(Object.keys(first.body)).toEqual(Object.keys(known.body))
    expect(Object.keys(first.body['ChallengeParameters'] ?? {})).toEqual(
      Object.keys(known.body['ChallengeParameters'] ?? {}),
    )

    const second = await answer(first, SECRET, unknown)
    expect(second.body).toMatchObject({ ChallengeName: 'CUSTOM_CHALLENGE' })
    expect(await answer(second, SECRET, unknown)).toEqual(WRONG)
  })

  test('the right answers count as one factor: an app code is still required', async () => {
    const zoe = await aUserWithApp(pool, clock.now)
    clock.advance(STEP_MS)
    const asked = await answer(await answer(await begin(zoe.email), SECRET, zoe.email), SECRET, zoe.email)

    expect(asked.body).toMatchObject({ ChallengeName: 'SOFTWARE_TOKEN_MFA' })
    const code = { SOFTWARE_TOKEN_MFA_CODE: appCode(zoe.secret, clock.now()) }
    expect(await respond(pool, asked, code, zoe.email)).toMatchObject(SIGNED_IN)
  })

  test('a second factor that is enabled while the plug-in runs is required', async () => {
    const zoe = await aConfirmedUser(pool)
    const { AccessToken } = await signIn(pool, zoe)
    const define = async (event: DefineEvent) => {
      const isLast = event.request.session.length === 2
      if (isLast) await mustSucceed(pool, 'SetUserMFAPreference', { AccessToken, EmailMfaSettings: { Enabled: true } })
      return riddles.define(event)
    }
    const settings = { customChallenges: { ...riddles, define }, customTimeoutMs: 10_000 }
    const slow = await aPool(pool.ports.database, { clock, beside: pool, settings })

    const AuthParameters = { USERNAME: zoe.email }
    const first = await slow.call('InitiateAuth', { AuthFlow: 'CUSTOM_AUTH', AuthParameters })
    const second = await respond(slow, first, { ANSWER: SECRET }, zoe.email)

    expect((await respond(slow, second, { ANSWER: SECRET }, zoe.email)).body).toMatchObject({
      ChallengeName: 'EMAIL_OTP',
    })
    await slow.close()
  })

  test('a password change while the plug-in runs ends the sign-in', async () => {
    const zoe = await aConfirmedUser(pool)
    const { AccessToken } = await signIn(pool, zoe)
    let password = zoe.password
    const define = async (event: DefineEvent) => {
      if (event.request.session.length === 2 && password === zoe.password) {
        password = 'An0therPassword'
        const change = { AccessToken, PreviousPassword: zoe.password, ProposedPassword: password }
        await mustSucceed(pool, 'ChangePassword', change)
      }
      return riddles.define(event)
    }
    const settings = { customChallenges: { ...riddles, define }, customTimeoutMs: 10_000 }
    const slow = await aPool(pool.ports.database, { clock, beside: pool, settings })
    const all = async () => {
      const AuthParameters = { USERNAME: zoe.email }
      const first = await slow.call('InitiateAuth', { AuthFlow: 'CUSTOM_AUTH', AuthParameters })
      const second = await respond(slow, first, { ANSWER: SECRET }, zoe.email)
      return await respond(slow, second, { ANSWER: SECRET }, zoe.email)
    }

    expect(await all()).toMatchObject({ status: 400, body: { message: 'Incorrect username or password.' } })
    expect(await all()).toMatchObject(SIGNED_IN)
    await slow.close()
  })

  test('an unconfirmed account is reported only after the right answers', async () => {
    const person = aPerson()
    await signUp(pool, person)
    const last = await answer(await begin(person.username), SECRET, person.username)

    expect(await answer(last, SECRET, person.username)).toMatchObject({ body: { __type: 'UserNotConfirmedException' } })
  })

  test('an answer that names a forgotten device is rejected but not used up', async () => {
    const zoe = await aConfirmedUser(pool)
    const asked = await begin(zoe.email)
    const named = { ANSWER: SECRET, DEVICE_KEY: 'us-east-1_00000000-0000-4000-8000-000000000000' }

    expect(await respond(pool, asked, named, zoe.email)).toEqual(
      refusal('ResourceNotFoundException', 'Device does not exist.'),
    )
    expect(await answer(asked, SECRET, zoe.email)).toMatchObject({ status: 200 })
  })

  test('a known device proves itself after the right answers', async () => {
    const zoe = await aConfirmedUser(pool)
    const signedIn = await answer(await answer(await begin(zoe.email), SECRET, zoe.email), SECRET, zoe.email)
    const device = await confirmDevice(pool, tokensOf(signedIn))
    const last = await answer(await begin(zoe.email, { DEVICE_KEY: device.key }), SECRET, zoe.email)

    const asked = await answer(last, SECRET, zoe.email)
    expect(asked.body).toMatchObject({ ChallengeName: 'DEVICE_SRP_AUTH' })
    expect(await proveDevice(pool, asked, device)).toMatchObject(SIGNED_IN)
    expect((await beginOnDevice(pool, zoe, device.key)).body).toMatchObject({ ChallengeName: 'DEVICE_SRP_AUTH' })
  })

  test('an endless sequence of challenges ends with a rejected sign-in', async () => {
    const zoe = await aConfirmedUser(pool)
    plugIn = {
      define: ({ response }) => {
        response.challengeName = 'CUSTOM_CHALLENGE'
      },
      create: () => undefined,
      verify: ({ response }) => {
        response.answerCorrect = true
      },
    }
    let asked = await begin(zoe.email)
    for (let time = 1; time < 50 && asked.status === 200; time += 1) asked = await answer(asked, 'on', zoe.email)

    expect(asked).toMatchObject({ status: 400, body: { message: 'Incorrect username or password.' } })
  })

  describe('a fault of the plug-in is answered and logged without its content', () => {
    const ask: CustomChallenges['define'] = ({ response }) => {
      response.challengeName = 'CUSTOM_CHALLENGE'
    }
    const FAULTS: [string, string, Partial<CustomChallenges>][] = [
      [
        'throws',
        'define',
        {
          define: () => {
            throw new TypeError(SECRET)
          },
        },
      ],
      ['rejects', 'create', { create: async () => await Promise.reject(new Error(SECRET)) }],
      [
        'throws something that is not an Error',
        'define',
        {
          define: () => {
            throw SECRET as unknown as Error
          },
        },
      ],
      ['returns no event', 'define', { define: () => 'yes' }],
      [
        'asks for an unknown challenge',
        'define',
        {
          define: ({ response }) => {
            response.challengeName = 'SMS_MFA'
          },
        },
      ],
      ['leaves the response empty', 'define', { define: () => undefined }],
      [
        'returns parameters that are not strings',
        'create',
        { create: () => ({ response: { publicChallengeParameters: { n: 1 } } }) },
      ],
      [
        'returns more private parameters than fit into a session',
        'create',
        {
          create: ({ response }) => {
            response.privateChallengeParameters = { answer: SECRET.repeat(300) }
          },
        },
      ],
      ['takes too long', 'create', { create: async () => await new Promise(() => undefined) }],
    ]

    test.each(FAULTS)('a plug-in that %s in %s causes one error without secrets', async (_what, trigger, faulty) => {
      const zoe = await aConfirmedUser(pool)
      plugIn = { ...riddles, define: ask, ...faulty }

      expect(await begin(zoe.email)).toEqual(FAILED)
      expect(logged).toEqual([expect.objectContaining({ trigger })])
      expect(JSON.stringify(logged)).not.toContain(SECRET)
      expect(JSON.stringify(logged)).not.toContain(zoe.email)
    })

    test('a plug-in that throws in verify uses up the answer, and the sign-in must start again', async () => {
      const zoe = await aConfirmedUser(pool)
      const asked = await begin(zoe.email)
      plugIn = {
        ...riddles,
        verify: () => {
          throw new Error(SECRET)
        },
      }

      expect(await answer(asked, SECRET, zoe.email)).toEqual(FAILED)
      plugIn = riddles
      expect(await answer(asked, SECRET, zoe.email)).toMatchObject({ status: 400 })
      expect(await answer(await begin(zoe.email), SECRET, zoe.email)).toMatchObject({ status: 200 })
    })
  })

  test('CUSTOM_AUTH is rejected without a plug-in, and so are answers to its challenges', async () => {
    const zoe = await aConfirmedUser(pool)
    const asked = await begin(zoe.email)
    const plain = await aPool(useDatabase(), { clock, beside: pool })
    const AuthParameters = { USERNAME: zoe.email }

    const OFF = refusal('InvalidParameterException', 'CUSTOM_AUTH flow not enabled for this client')
    expect(await plain.call('InitiateAuth', { AuthFlow: 'CUSTOM_AUTH', AuthParameters })).toEqual(OFF)
    expect(await respond(plain, asked, { ANSWER: SECRET }, zoe.email)).toEqual(OFF)
    await plain.close()
  })
})
