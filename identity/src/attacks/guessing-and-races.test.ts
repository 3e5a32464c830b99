import { afterAll, beforeAll, expect, test } from 'vitest'

import { eachDatabase } from '@marquee/platform/testing/each-database'

import type { CustomChallenges } from '../base/custom-challenges.ts'
import type { IdentityTables } from '../base/tables.ts'
import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../testing/a-pool.ts'
import {
  aConfirmedUser,
  aPerson,
  beginSignIn,
  finishSignIn,
  type Reply,
  signIn,
  signUp,
  tokensOf,
  trySignIn,
} from '../testing/people.ts'
import { respond } from '../testing/second-factors.ts'

const wrong = (code: string, by: number) => String((Number(code) + by) % 1_000_000).padStart(6, '0')
const typesOf = (replies: Reply[]) => replies.map(({ body }) => body['__type'] ?? 'ok')
const isLockedOut = ({ body }: Reply) => body['message'] === 'Password attempts exceeded'

const PIN = '0042'

/** What the check of the right number waits for. */
let checksPin: Promise<void> | undefined

/** Asks for one number. */
const onePin: CustomChallenges = {
  define: ({ request, response }) => {
    const [asked] = request.session.filter(({ challengeName }) => challengeName === 'CUSTOM_CHALLENGE')
    const answer = asked ? { issueTokens: asked.challengeResult } : { challengeName: 'CUSTOM_CHALLENGE' }
    return { response: { ...response, failAuthentication: asked?.challengeResult === false, ...answer } }
  },
  create: () => ({ response: { privateChallengeParameters: { answer: PIN } } }),
  verify: async ({ request }) => {
    const answerCorrect = request.challengeAnswer === PIN
    if (answerCorrect) await checksPin
    return { response: { answerCorrect } }
  },
}

eachDatabase(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let clock: TestClock
  beforeAll(async () => {
    clock = testClock()
    pool = await aPool(useDatabase(), { clock, settings: { customChallenges: onePin } })
  })
  afterAll(async () => {
    await pool.close()
  })

  const confirm = async (Username: string, ConfirmationCode: string, extra = {}) =>
    await pool.call('ConfirmSignUp', { Username, ConfirmationCode, ...extra })

  // Evidence: asvs-6.3.1, asvs-6.6.3
  test('only five of many concurrent wrong guesses are checked, and then the right code is void', async () => {
    const zoe = aPerson()
    const sub = await signUp(pool, zoe)
    const code = await pool.readCode(zoe.email)

    const guesses = Array.from({ length: 12 }, (_, index) => wrong(code, index + 1))
    const replies = await Promise.all(guesses.map(async (guess) => await confirm(zoe.username, guess)))

    expect(new Set(typesOf(replies))).toEqual(new Set(['CodeMismatchException']))
    const { read } = pool.ports.database.withTables<IdentityTables>()
    const checked = read.selectFrom('identity_code').select('tries').where('sub', '=', sub)
    expect(await checked.execute()).toEqual([{ tries: 5 }])
    expect(typesOf([await confirm(zoe.username, code)])).toEqual(['CodeMismatchException'])
  })

  // Evidence: asvs-6.3.1, asvs-6.6.3
  test('new codes do not raise the number of guesses per hour', async () => {
    const zoe = await aConfirmedUser(pool)
    const types: unknown[] = []
    for (let round = 0; round < 3; round += 1) {
      await pool.call('ForgotPassword', { Username: zoe.email })
      const replies = await Promise.all(
        Array.from({ length: 5 }, async (_, index) => {
          const guess = { ConfirmationCode: `00000${index}`, Password: 'An0therPassword' }
          return await pool.call('ConfirmForgotPassword', { Username: zoe.email, ...guess })
        }),
      )
      types.push(...typesOf(replies))
    }

    expect(types.filter((type) => type === 'LimitExceededException')).toHaveLength(5)
    expect(await trySignIn(pool, zoe.email, zoe.password)).toMatchObject({ status: 200 })
  })

  // Evidence: asvs-6.5.1
  test('one reset code used five times concurrently sets one password', async () => {
    const zoe = await aConfirmedUser(pool)
    await pool.call('ForgotPassword', { Username: zoe.email })
    const ConfirmationCode = await pool.readCode(zoe.email, 2)

    const passwords = Array.from({ length: 5 }, (_, index) => `An0therPassword${index}`)
    const replies = await Promise.all(
      passwords.map(
        async (Password) =>
          await pool.call('ConfirmForgotPassword', { Username: zoe.email, ConfirmationCode, Password }),
      ),
    )

    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const winner = passwords[replies.findIndex(({ status }) => status === 200)] ?? ''
    expect(await trySignIn(pool, zoe.email, winner)).toMatchObject({ status: 200 })
  })

  test('sign-ins that race with a password change leave no session', async () => {
    for (let round = 1; round <= 4; round += 1) {
      const zoe = await aConfirmedUser(pool)
      const { AccessToken } = await signIn(pool, zoe)
      const answers = await Promise.all(
        Array.from({ length: 8 }, async () => await beginSignIn(pool, zoe.email, zoe.password)),
      )
      const change = { AccessToken, PreviousPassword: zoe.password, ProposedPassword: 'An0therPassword' }

      const [changed, ...replies] = await Promise.all([
        pool.call('ChangePassword', change),
        ...answers.map(async (answer) => await finishSignIn(pool, answer)),
      ])

      expect(changed.status).toBe(200)
      const sessions = await pool.identity.account.listSessions(zoe.sub)
      expect(sessions).toHaveLength(1)
      for (const reply of replies.filter(({ status }) => status === 200)) {
        await expect(pool.identity.verifyIdToken(tokensOf(reply).IdToken)).rejects.toThrow('revoked')
      }
    }
  })

  test('one of two users who verify the same address concurrently gets it, and the other gets an error', async () => {
    const { email } = aPerson()
    const [zoe, eve] = [aPerson({ email }), aPerson({ email })]
    await signUp(pool, zoe)
    const first = await pool.readCode(email, 1)
    await signUp(pool, eve)
    const second = await pool.readCode(email, 2)

    const replies = await Promise.all([confirm(zoe.username, first), confirm(eve.username, second)])

    expect(new Set(typesOf(replies))).toEqual(new Set(['AliasExistsException', 'ok']))
  })

  test('two concurrent sign-ups with one username create one account', async () => {
    const zoe = aPerson()
    const attempts = [zoe, { ...zoe, email: aPerson().email, username: zoe.username.toUpperCase() }]

    const replies = await Promise.allSettled(attempts.map(async (person) => await signUp(pool, person)))

    expect(replies.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  // Evidence: asvs-6.3.1
  test('concurrent password guesses are locked out after five, for known and unknown names', async () => {
    const zoe = await aConfirmedUser(pool)
    const guess = async (name: string) =>
      await Promise.all(Array.from({ length: 10 }, async () => await trySignIn(pool, name, 'Wr0ngPassword')))

    const [known, unknown] = [await guess(zoe.email), await guess(aPerson().email)]

    const countOf = (replies: Reply[]) =>
      replies.map(({ body }) => String(body['message'])).filter((text) => text.includes('attempts exceeded')).length
    expect(countOf(known)).toBe(5)
    expect(countOf(unknown)).toBe(5)
  })

  // Evidence: asvs-6.3.1
  test('the right answer to a custom challenge is rejected after five concurrent wrong ones', async () => {
    const zoe = await aConfirmedUser(pool)
    const { promise, resolve } = Promise.withResolvers<void>()
    checksPin = promise
    const begin = { AuthFlow: 'CUSTOM_AUTH', AuthParameters: { USERNAME: zoe.username } }
    const answer = async (ANSWER: string) =>
      await respond(pool, await pool.call('InitiateAuth', begin), { ANSWER }, zoe.username)

    const right = answer(PIN)
    const guesses = Array.from({ length: 12 }, async (_, index) => await answer(wrong(PIN, index + 1)))
    const replies = await Promise.all(guesses)
    resolve()

    expect(replies.filter((reply) => !isLockedOut(reply))).toHaveLength(5)
    expect(await right).toSatisfy(isLockedOut)
    clock.advance(1000)
    expect(await answer(PIN)).toMatchObject({ status: 200 })
  })
})
