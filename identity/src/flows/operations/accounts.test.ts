import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { eachStatement } from '@marquee/platform/testing/each-database'

import type { IdentityTables } from '../../base/tables.ts'
import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../../testing/a-pool.ts'
import { aConfirmedUser, aPerson, signIn, signUp, trySignIn } from '../../testing/people.ts'
import { respond } from '../../testing/second-factors.ts'

const HOUR = 3600_000

eachStatement(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let clock: TestClock
  beforeAll(async () => {
    clock = testClock()
    pool = await aPool(useDatabase(), { clock })
  })
  afterAll(async () => {
    await pool.close()
  })

  const OK = { status: 200, body: {} }
  const refusal = (type: string, message: string) => ({ status: 400, body: { __type: type, message } })
  const MISMATCH = refusal('CodeMismatchException', 'Invalid verification code provided, please try again.')
  const EXPIRED = refusal('ExpiredCodeException', 'Invalid code provided, please request a code again.')
  const LIMIT = refusal('LimitExceededException', 'Attempt limit exceeded, please try after some time.')
  const otherCode = (code: string) => (code === '123456' ? '654321' : '123456')
  /** Every operation that mails a code without a sign-in, with the reply that unknown names get too. */
  async function expectNoCode({ username }: { username: string }, email: string) {
    const codes = async () => (await pool.readMails(email)).filter((mail) => /^(\d{6}|\d{8})$/mu.test(mail)).length
    const before = await codes()
    const AuthParameters = { USERNAME: username, PREFERRED_CHALLENGE: 'EMAIL_OTP' }
    const asked = await pool.call('InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters })
    expect(asked.body).toMatchObject({ ChallengeName: 'EMAIL_OTP' })
    expect(await pool.call('ForgotPassword', { Username: username })).toMatchObject({ status: 200 })
    // Mails are sent in order, so those codes would be there before this one.
    await aConfirmedUser(pool)
    expect(await codes()).toBe(before)
  }
  const attribute = (email: string) => [{ Name: 'email', Value: email }]

  test('SignUp returns the user id and the masked address, and mails the code as text and HTML', async () => {
    const person = aPerson()

    const reply = await pool.call('SignUp', {
      Username: `  ${person.username} `,
      Password: person.password,
      UserAttributes: attribute(person.email),
      ClientMetadata: { any: 'thing' },
      ValidationData: null,
    })

    expect(reply).toEqual({
      status: 200,
      body: {
        UserConfirmed: false,
        UserSub: expect.stringMatching(/^[0-9a-f-]{36}$/u) as string,
        CodeDeliveryDetails: { AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: 'z***@e***' },
        Session: expect.stringMatching(/^[\w-]{20,2048}$/u) as string,
      },
    })
    const code = await pool.readCode(person.email)
    const [mail] = await pool.readMails(person.email)
    expect(mail).toContain('Content-Type: text/plain')
    expect(mail).toContain('Content-Type: text/html')
    expect(mail?.match(new RegExp(code, 'gu'))).toHaveLength(2)
  })

  const violation = (clause: string) => `1 validation error detected: Value at ${clause}`
  const NAME_PATTERN = String.raw`'username' failed to satisfy constraint: Member must satisfy regular expression pattern: [\p{L}\p{M}\p{S}\p{N}\p{P}]+`
  const PASSWORD_PATTERN = String.raw`'password' failed to satisfy constraint: Member must satisfy regular expression pattern: ^[\S]+.*[\S]+$`

  test.each([
    [
      'a username that is an e-mail address',
      { Username: 'zoe@example.com' },
      'Username cannot be of email format, since user pool is configured for email alias.',
    ],
    ['two spaces in a row in a username', { Username: 'two  spaces' }, violation(NAME_PATTERN)],
    ['NUL in a username', { Username: 'a\u0000b' }, violation(NAME_PATTERN)],
    ['a change of direction in a username', { Username: 'right\u202Eleft' }, violation(NAME_PATTERN)],
    ['a username like the id of a user', { Username: randomUUID().toUpperCase() }, violation(NAME_PATTERN)],
    ['an invisible username', { Username: '\u3164' }, violation(NAME_PATTERN)],
    [
      'a username that is too long',
      { Username: 'x'.repeat(129) },
      violation("'username' failed to satisfy constraint: Member must have length less than or equal to 128"),
    ],
    [
      'a blank username',
      { Username: '   ' },
      `2 validation errors detected: Value at 'username' failed to satisfy constraint: Member must have length greater than or equal to 1; Value at ${NAME_PATTERN}`,
    ],
    ['a password that begins with a space', { Password: ' Passw0rdX' }, violation(PASSWORD_PATTERN)],
    ['a password that ends with a space', { Password: 'Passw0rdX ' }, violation(PASSWORD_PATTERN)],
    [
      'a password that is too long',
      { Password: `P0${'x'.repeat(255)}` },
      violation("'password' failed to satisfy constraint: Member must have length less than or equal to 256"),
    ],
    [
      'NUL in a password',
      { Password: 'Passw0rd\0X' },
      violation("'password' failed to satisfy constraint: Member must not contain NUL characters"),
    ],
    [
      'no password',
      { Password: undefined },
      violation("'password' failed to satisfy constraint: Member must not be null"),
    ],
  ])('%s is rejected with a specific message', async (_what, wrong, message) => {
    const { username, email, password } = aPerson()

    const right = { Username: username, Password: password, UserAttributes: attribute(email) }
    const reply = await pool.call('SignUp', { ...right, ...wrong })

    expect(reply).toEqual(refusal('InvalidParameterException', message))
  })

  test.each(['Mary Ann', 'Žofie', 'おはよう', '👍🏽', '🎬'.repeat(60)])('the username %j is accepted', async (name) => {
    const person = aPerson()
    const unique = `${name} ${person.username.slice(-13)}`

    await aConfirmedUser(pool, { ...person, username: unique })

    expect(await pool.identity.findUser(unique.toUpperCase())).toMatchObject({ username: unique, email: person.email })
  })

  test(
    'a user is found by a verified address regardless of case, but not by an unverified one or a username',
    { tags: ['race'] },
    async () => {
      const ana = await aConfirmedUser(pool)
      const ben = aPerson()
      await signUp(pool, ben)

      const found = await Promise.all(
        [ana.email.toUpperCase(), ben.email, ana.username].map(pool.identity.findUserByEmail),
      )

      expect(found).toEqual([{ userId: ana.sub, username: ana.username, email: ana.email }, undefined, undefined])
    },
  )

  // Evidence: asvs-6.2.1
  test.each([
    ['Sh0rter', 'Password did not conform with policy: Password not long enough'],
    ['passw0rdx', 'Password did not conform with policy: Password must have uppercase characters'],
    ['Passwordx', 'Password did not conform with policy: Password must have numeric characters'],
  ])('the password %s is rejected with the rule it violates', async (Password, message) => {
    const { username, email } = aPerson()

    expect(await pool.call('SignUp', { Username: username, Password, UserAttributes: attribute(email) })).toEqual(
      refusal('InvalidPasswordException', message),
    )
  })

  test.each([
    [undefined, 'Attributes did not conform to the schema: email: The attribute is required '],
    [attribute('not an address'), 'Invalid email address format.'],
    [attribute('a@b.c\r\nBcc: evil@example.com'), 'Invalid email address format.'],
    [attribute('Zoe <zoe@example.com>'), 'Invalid email address format.'],
    [
      [{ Name: 'shoe_size', Value: '39' }],
      'Attributes did not conform to the schema: Type for attribute {shoe_size} could not be determined',
    ],
  ])('a sign-up with the attributes %j is rejected', async (UserAttributes, message) => {
    const { username, password } = aPerson()

    expect(await pool.call('SignUp', { Username: username, Password: password, UserAttributes })).toEqual(
      refusal('InvalidParameterException', message),
    )
  })

  test('a taken username is rejected regardless of case', async () => {
    const person = aPerson()
    await signUp(pool, person)

    const reply = await pool.call('SignUp', {
      Username: person.username.toUpperCase(),
      Password: person.password,
      UserAttributes: attribute(aPerson().email),
    })

    expect(reply).toEqual(refusal('UsernameExistsException', 'User already exists'))
  })

  test('eight concurrent sign-ups with one username create one user', { tags: ['race'] }, async () => {
    const { username } = aPerson()

    const replies = await Promise.allSettled(
      Array.from({ length: 8 }, async () => await signUp(pool, aPerson({ username }))),
    )

    expect(replies.filter((reply) => reply.status === 'fulfilled')).toHaveLength(1)
  })

  test('a wrong code is rejected, and the right one confirms only once', async () => {
    const person = aPerson()
    await signUp(pool, person)
    const code = await pool.readCode(person.email)
    const confirm = async (ConfirmationCode: string) =>
      await pool.call('ConfirmSignUp', { Username: person.username, ConfirmationCode })

    expect(await confirm(otherCode(code))).toEqual(MISMATCH)
    expect(await confirm(code)).toMatchObject(OK)
    expect(await confirm(code)).toEqual(
      refusal('NotAuthorizedException', 'User cannot be confirmed. Current status is CONFIRMED'),
    )
    expect(await confirm(otherCode(code))).toEqual(EXPIRED)
  })

  // Evidence: asvs-6.5.1
  test('a code sent five times concurrently confirms only once', { tags: ['race'] }, async () => {
    const person = aPerson()
    await signUp(pool, person)
    const ConfirmationCode = await pool.readCode(person.email)

    const replies = await Promise.all(
      Array.from(
        { length: 5 },
        async () => await pool.call('ConfirmSignUp', { Username: person.username, ConfirmationCode }),
      ),
    )

    expect(replies.map((reply) => reply.status).toSorted((one, other) => one - other)).toEqual([
      200, 400, 400, 400, 400,
    ])
  })

  test(
    'five wrong tries void a code, and the right code then gets the reply of a wrong one',
    { tags: ['race'] },
    async () => {
      const person = aPerson()
      await signUp(pool, person)
      const code = await pool.readCode(person.email)
      const confirm = async (ConfirmationCode: string) =>
        await pool.call('ConfirmSignUp', { Username: person.username, ConfirmationCode })

      await Promise.all(Array.from({ length: 5 }, async () => await confirm(otherCode(code))))

      expect(await confirm(code)).toEqual(MISMATCH)
      clock.advance(24 * HOUR)
      expect(await confirm(code)).toEqual(EXPIRED)
    },
  )

  // Evidence: asvs-6.6.2
  test('a resent code replaces the previous one', async () => {
    const person = aPerson()
    await signUp(pool, person)
    const first = await pool.readCode(person.email)

    const resent = await pool.call('ResendConfirmationCode', { Username: person.email })
    const second = await pool.readCode(person.email, 2)

    expect(resent.body).toEqual({
      CodeDeliveryDetails: { AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: 'z***@e***' },
    })
    const replaced = first === second ? otherCode(first) : first
    expect(await pool.call('ConfirmSignUp', { Username: person.username, ConfirmationCode: replaced })).toEqual(
      MISMATCH,
    )
    expect(await pool.call('ConfirmSignUp', { Username: person.email, ConfirmationCode: second })).toMatchObject(OK)
  })

  test('a code can be resent five times an hour, and rejected calls do not count', async () => {
    const person = aPerson()
    await signUp(pool, person)
    const resend = async () => await pool.call('ResendConfirmationCode', { Username: person.username })

    for (let time = 1; time <= 5; time += 1) expect(await resend()).toMatchObject({ status: 200 })
    for (let time = 1; time <= 3; time += 1) expect(await resend()).toEqual(LIMIT)

    clock.advance(HOUR)
    expect(await resend()).toMatchObject({ status: 200 })
  })

  test('ten concurrent requests for a code send five codes', { tags: ['race'] }, async () => {
    const person = aPerson()
    await signUp(pool, person)

    const replies = await Promise.all(
      Array.from({ length: 10 }, async () => await pool.call('ResendConfirmationCode', { Username: person.username })),
    )

    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(5)
  })

  test('resending a code reveals a confirmed account by its username but not by its address', async () => {
    const zoe = await aConfirmedUser(pool)
    const resend = async (Username: string) => await pool.call('ResendConfirmationCode', { Username })

    expect(await resend(zoe.username)).toEqual(refusal('InvalidParameterException', 'User is already confirmed.'))
    const walk = async (Username: string) => {
      const guess = { Username, ConfirmationCode: '000000' }
      return [await pool.call('ConfirmSignUp', guess), await resend(Username), await pool.call('ConfirmSignUp', guess)]
    }
    expect(await walk(zoe.email)).toEqual(await walk('zoe.unknown@example.com'))
    expect(await pool.readMails(zoe.email)).toHaveLength(1)
  })

  test('the first of two sign-ups to confirm an address gets it, and the other can take it with ForceAliasCreation', async () => {
    const first = aPerson()
    const second = aPerson({ email: first.email })
    await signUp(pool, first)
    const firstCode = await pool.readCode(first.email)
    await signUp(pool, second)
    const secondCode = await pool.readCode(first.email, 2)
    const confirm = async (Username: string, ConfirmationCode: string, ForceAliasCreation?: boolean) =>
      await pool.call('ConfirmSignUp', { Username, ConfirmationCode, ForceAliasCreation })

    expect(await confirm(first.username, firstCode)).toMatchObject(OK)
    for (let time = 1; time <= 6; time += 1) {
      expect(await confirm(second.username, secondCode)).toEqual(
        refusal('AliasExistsException', 'An account with the email already exists.'),
      )
    }
    const AuthParameters = { USERNAME: first.username, PREFERRED_CHALLENGE: 'EMAIL_OTP' }
    const waiting = await pool.call('InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters })
    const EMAIL_OTP_CODE = await pool.readCode(first.email, 3)
    expect(await confirm(second.username, secondCode, true)).toMatchObject(OK)

    expect(await respond(pool, waiting, { EMAIL_OTP_CODE }, first.username)).toMatchObject({
      body: { __type: 'CodeMismatchException' },
    })
    expect(await trySignIn(pool, first.username, first.password)).toMatchObject({ status: 200 })
    const { AccessToken } = await signIn(pool, second)
    expect((await pool.call('GetUser', { AccessToken })).body['Username']).toBe(second.username)
    const { AccessToken: firstToken } = await signIn(pool, { ...first, email: first.username })
    expect((await pool.call('GetUser', { AccessToken: firstToken })).body['UserAttributes']).toContainEqual({
      Name: 'email_verified',
      Value: 'false',
    })
  })

  test('a user who lost an address to its owner gets no reset or sign-in code at that address', async () => {
    const first = await aConfirmedUser(pool)
    const second = aPerson({ email: first.email })
    await signUp(pool, second)
    const ConfirmationCode = await pool.readCode(first.email, 2)
    const { AccessToken } = await signIn(pool, first)
    const taken = { Username: second.username, ConfirmationCode, ForceAliasCreation: true }
    expect(await pool.call('ConfirmSignUp', taken)).toMatchObject(OK)

    await expectNoCode(first, first.email)
    expect((await pool.call('GetUserAuthFactors', { AccessToken })).body['ConfiguredUserAuthFactors']).toEqual([
      'PASSWORD',
    ])
  })

  test('a disabled user gets no reset or sign-in code, and earlier codes are void', async () => {
    const zoe = await aConfirmedUser(pool)
    await pool.call('ForgotPassword', { Username: zoe.username })
    const ConfirmationCode = await pool.readCode(zoe.email, 2)
    await pool.identity.admin.disableUser(zoe.username)

    await expectNoCode(zoe, zoe.email)
    const reset = { Username: zoe.username, ConfirmationCode, Password: 'An0therPassword' }
    expect(await pool.call('ConfirmForgotPassword', reset)).toMatchObject({ status: 400 })
    await pool.identity.admin.enableUser(zoe.username)
    expect(await trySignIn(pool, zoe.username, zoe.password)).toMatchObject({ status: 200 })
  })

  test('one of two users who confirm the same address concurrently succeeds', { tags: ['race'] }, async () => {
    const first = aPerson()
    const second = aPerson({ email: first.email })
    await signUp(pool, first)
    const firstCode = await pool.readCode(first.email)
    await signUp(pool, second)
    const secondCode = await pool.readCode(first.email, 2)

    const replies = await Promise.all([
      pool.call('ConfirmSignUp', { Username: first.username, ConfirmationCode: firstCode }),
      pool.call('ConfirmSignUp', { Username: second.username, ConfirmationCode: secondCode }),
    ])

    expect(replies.map((reply) => reply.status).toSorted((one, other) => one - other)).toEqual([200, 400])
  })

  test('an address shared by unconfirmed users refers to the newest one', async () => {
    const older = aPerson()
    const newer = aPerson({ email: older.email, password: 'N3werPassword' })
    await signUp(pool, older)
    clock.advance(1000)
    await signUp(pool, newer)
    const code = await pool.readCode(older.email, 2)

    expect(await trySignIn(pool, older.email, newer.password)).toMatchObject({
      body: { __type: 'UserNotConfirmedException' },
    })
    expect(await pool.call('ConfirmSignUp', { Username: older.email, ConfirmationCode: code })).toMatchObject(OK)
    const { AccessToken } = await signIn(pool, newer)
    expect((await pool.call('GetUser', { AccessToken })).body['Username']).toBe(newer.username)
  })

  test('a password reset voids the old password and ends all sessions', async () => {
    const zoe = await aConfirmedUser(pool)
    const { IdToken, RefreshToken, AccessToken } = await signIn(pool, zoe)
    await pool.identity.verifyIdToken(IdToken)
    const reset = async (ConfirmationCode: string, Password: string) =>
      await pool.call('ConfirmForgotPassword', { Username: zoe.email, ConfirmationCode, Password })

    expect((await pool.call('ForgotPassword', { Username: zoe.email })).body).toEqual({
      CodeDeliveryDetails: { AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: 'z***@e***' },
    })
    const code = await pool.readCode(zoe.email, 2)
    expect(await trySignIn(pool, zoe.email, zoe.password)).toMatchObject({ status: 200 })
    expect(await reset(code, 'weak')).toMatchObject({ body: { __type: 'InvalidPasswordException' } })
    expect(await reset(otherCode(code), 'An0therPassword')).toEqual(MISMATCH)
    expect(await reset(code, 'An0therPassword')).toEqual(OK)

    expect(await reset(code, 'Yet0therPassword')).toEqual(EXPIRED)
    expect(await trySignIn(pool, zoe.email, zoe.password)).toMatchObject({ status: 400 })
    expect(await trySignIn(pool, zoe.email, 'An0therPassword')).toMatchObject({ status: 200 })
    await expect(pool.identity.verifyIdToken(IdToken)).rejects.toThrow('revoked')
    expect(await pool.call('GetTokensFromRefreshToken', { RefreshToken })).toEqual(
      refusal('NotAuthorizedException', 'Refresh Token has been revoked'),
    )
    expect(await pool.call('GetUser', { AccessToken })).toEqual(
      refusal('NotAuthorizedException', 'Access Token has been revoked'),
    )
  })

  test('a repeated password reset needs its code, succeeds and changes nothing', async () => {
    const zoe = await aConfirmedUser(pool)
    await pool.call('ForgotPassword', { Username: zoe.email })
    const code = await pool.readCode(zoe.email, 2)
    const Password = 'An0therPassword'
    const reset = async (changed: object = {}) =>
      await pool.call('ConfirmForgotPassword', { Username: zoe.email, ConfirmationCode: code, Password, ...changed })
    expect(await reset()).toEqual(OK)
    const { AccessToken } = await signIn(pool, { ...zoe, password: Password })

    expect(await reset()).toEqual(OK)

    expect(await pool.call('GetUser', { AccessToken })).toMatchObject({ status: 200 })
    const events = await pool.identity.account.listEvents(zoe.sub, { before: undefined, limit: 20 })
    expect(events.filter(({ kind }) => kind === 'password-reset')).toMatchObject([{ times: 1 }])
    expect(await reset({ Password: 'An0therPassword2' })).toEqual(EXPIRED)
    expect(await reset({ ConfirmationCode: otherCode(code) })).toEqual(EXPIRED)
    await pool.call('ChangePassword', { AccessToken, PreviousPassword: Password, ProposedPassword: 'An0therPassword3' })
    expect(await reset()).toEqual(EXPIRED)
  })

  test('a password reset lifts a lockout', async () => {
    const zoe = await aConfirmedUser(pool)
    for (let failure = 1; failure <= 5; failure += 1) await trySignIn(pool, zoe.email, 'Wr0ngOne')
    await pool.call('ForgotPassword', { Username: zoe.email })
    const ConfirmationCode = await pool.readCode(zoe.email, 2)

    await pool.call('ConfirmForgotPassword', { Username: zoe.email, ConfirmationCode, Password: 'An0therPassword' })

    expect(await trySignIn(pool, zoe.email, 'An0therPassword')).toMatchObject({ status: 200 })
  })

  test('each step of a reset gives the same reply for an unknown name, an unconfirmed and a confirmed user', async () => {
    const zoe = await aConfirmedUser(pool)
    const waiting = aPerson()
    await signUp(pool, waiting)
    await pool.readCode(waiting.email)
    const walk = async (Username: string) => {
      const guess = { Username, ConfirmationCode: '000000', Password: 'An0therPassword' }
      const before = await pool.call('ConfirmForgotPassword', guess)
      const asked = await pool.call('ForgotPassword', { Username })
      const tries = []
      for (let time = 1; time <= 6; time += 1) tries.push(await pool.call('ConfirmForgotPassword', guess))
      const asks = []
      for (let time = 1; time <= 5; time += 1) asks.push(await pool.call('ForgotPassword', { Username }))
      return { before, asked, tries, asks }
    }

    const known = await walk(zoe.email)

    expect(known.before).toEqual(EXPIRED)
    expect(known.tries).toEqual(Array.from({ length: 6 }, () => MISMATCH))
    expect(known.asks.at(-1)).toEqual(LIMIT)
    expect(await walk(`Z${aPerson().email.slice(1)}`)).toEqual(known)
    expect(await walk(waiting.email)).toEqual(known)
    expect(await pool.readMails(waiting.email)).toHaveLength(1)
  })

  // Evidence: asvs-6.6.2
  test('a confirmation code cannot reset a password', async () => {
    const person = aPerson()
    await signUp(pool, person)
    const ConfirmationCode = await pool.readCode(person.email)

    expect(
      await pool.call('ConfirmForgotPassword', {
        Username: person.username,
        ConfirmationCode,
        Password: 'An0therPassword',
      }),
    ).toEqual(EXPIRED)
  })

  // Evidence: asvs-6.2.2, asvs-6.2.3
  test('ChangePassword needs the old password and ends all other sessions', async () => {
    const zoe = await aConfirmedUser(pool)
    const here = await signIn(pool, zoe)
    const elsewhere = await signIn(pool, zoe)
    const change = async (PreviousPassword: string | undefined, ProposedPassword: string) =>
      await pool.call('ChangePassword', { AccessToken: here.AccessToken, PreviousPassword, ProposedPassword })

    expect(await change('Wr0ngPassword', 'An0therPassword')).toEqual(
      refusal('NotAuthorizedException', 'Incorrect username or password.'),
    )
    expect(await change(zoe.password, 'weak')).toMatchObject({ body: { __type: 'InvalidPasswordException' } })
    expect(await change(undefined, 'An0therPassword')).toEqual(
      refusal('InvalidParameterException', 'Missing required parameter PreviousPassword'),
    )
    expect(await change(zoe.password, 'An0therPassword')).toEqual(OK)

    expect(await trySignIn(pool, zoe.email, zoe.password)).toMatchObject({ status: 400 })
    expect(await trySignIn(pool, zoe.email, 'An0therPassword')).toMatchObject({ status: 200 })
    expect(await pool.identity.verifyIdToken(here.IdToken)).toMatchObject({ userId: zoe.sub })
    await expect(pool.identity.verifyIdToken(elsewhere.IdToken)).rejects.toThrow('revoked')
  })

  test('ChangePassword can be called five times an hour', async () => {
    const zoe = await aConfirmedUser(pool)
    const { AccessToken } = await signIn(pool, zoe)
    const change = async () =>
      await pool.call('ChangePassword', {
        AccessToken,
        PreviousPassword: 'Wr0ngPassword',
        ProposedPassword: 'An0therPassword',
      })

    for (let time = 1; time <= 5; time += 1) expect(await change()).toMatchObject({ status: 400 })

    expect(await change()).toEqual(LIMIT)
  })

  // Evidence: asvs-14.2.4
  test('the account tables store no credentials in plain text', { tags: ['race'] }, async () => {
    const zoe = await aConfirmedUser(pool)
    const { RefreshToken } = await signIn(pool, zoe)
    await pool.call('ForgotPassword', { Username: zoe.email })
    const code = await pool.readCode(zoe.email, 2)

    const database = useDatabase()
    const tables = ['identity_user', 'identity_code', 'identity_refresh_token', 'identity_session'] as const
    const rows = await Promise.all(
      tables.map(
        async (table) => await database.withTables<IdentityTables>().read.selectFrom(table).selectAll().execute(),
      ),
    )
    const everything = rows
      .flat()
      .flatMap((row) => Object.values(row))
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
    const secrets = [zoe.password, code, RefreshToken, Buffer.from(RefreshToken, 'base64url').toString('latin1')]
    expect(everything.filter((value) => secrets.some((secret) => value.includes(secret)))).toEqual([])
  })
})
