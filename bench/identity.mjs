// Measures whether timing reveals which users exist, and what a token check costs, with the user pool in this process on
// the embedded database. Known and unknown names alternate, so that noise affects both. Prints medians and their ratio.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

import { createIdentity, identityMigrations } from '../identity/src/index.ts'
import { beginSignIn, finishSignIn, signIn } from '../identity/src/testing/people.ts'
import { migrate } from '../platform/src/database/migrate.ts'
import { openDatabase } from '../platform/src/database/open.ts'
import { createHttp } from '../platform/src/http/kernel.ts'
import { noRateLimiter } from '../platform/src/limits/rate-limiter.ts'
import { mailMigrations } from '../platform/src/mail/migrations/index.ts'
import { startMailQueue } from '../platform/src/mail/queue.ts'
import { systemClock } from '../platform/src/runtime/clock.ts'
import { createLogger } from '../platform/src/runtime/logger.ts'
import { systemRandom } from '../platform/src/runtime/random.ts'
import { report } from './measure/report.mjs'

const PAIRS = 300
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const folder = await mkdtemp(join(tmpdir(), 'marquee-bench-'))
const logger = createLogger('silent')
const database = await openDatabase({ url: undefined, dataDir: folder }, logger)
await migrate(database, 'mail', mailMigrations)
await migrate(database, 'identity', identityMigrations)
const codes = new Map()
const transport = {
  deliver: async (_id, message) => void codes.set(message.to, /^\d{6}$/mu.exec(message.text)?.[0]),
}
const ports = { database, clock: systemClock, random: systemRandom, logger }
const mail = startMailQueue({ ...ports, transport })
const identity = await createIdentity({
  ...ports,
  mail,
  limiter: noRateLimiter,
  masterKey: randomBytes(32),
  publicUrl: 'https://marquee.example',
  productName: 'Marquee',
})
const app = createHttp({
  logger,
  bodyLimit: 65_536,
  problemFor: (status) => ({ type: 'SERVER_ERROR', message: `${status}` }),
})
await app.register(identity.routes, { prefix: '/identity' })
await app.ready()

async function call(operation, body) {
  const reply = await app.inject({
    method: 'POST',
    url: '/identity/',
    headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ ClientId: identity.pool.userPoolClientId, ...body }),
  })
  return { status: reply.statusCode, body: reply.json() }
}
const pool = { identity, call }
const settled = () => new Promise((resolve) => setTimeout(resolve, 8))

async function aUser({ confirmed }) {
  const email = `${randomUUID().slice(0, 13)}@example.com`
  const username = `zoe${randomUUID().slice(0, 8)}`
  await call('SignUp', { Username: username, Password: 'Passw0rdX', UserAttributes: [{ Name: 'email', Value: email }] })
  while (confirmed && !codes.has(email)) await settled()
  if (confirmed) await call('ConfirmSignUp', { Username: username, ConfirmationCode: codes.get(email) })
  return confirmed ? email : username
}

const unknownLogin = () => `${randomUUID().slice(0, 13)}@example.com`

async function compare(name, make, act, { prepare = async (login) => login, makeUnknown = unknownLogin } = {}) {
  const times = [[], []]
  for (let pair = -20; pair < PAIRS; pair += 1) {
    const logins = [await make(), makeUnknown()]
    const order = pair % 2 === 0 ? [0, 1] : [1, 0]
    for (const which of order) {
      const given = await prepare(logins[which])
      await settled()
      const start = performance.now()
      await act(given)
      if (pair >= 0) times[which].push(performance.now() - start)
      await settled()
    }
  }
  const [known, unknown] = times.map(median)
  console.log(
    `${name}: ${known.toFixed(2)} ms for a known user, ${unknown.toFixed(2)} ms for an unknown one, ratio ${(known / unknown).toFixed(3)}`,
  )
}

try {
  const confirmed = () => aUser({ confirmed: true })
  const waiting = () => aUser({ confirmed: false })
  const SRP_A = (2n ** 3000n + 12_345n).toString(16)
  const start = (USERNAME) => call('InitiateAuth', { AuthFlow: 'USER_SRP_AUTH', AuthParameters: { USERNAME, SRP_A } })

  const tokens = await signIn(pool, { email: await confirmed(), password: 'Passw0rdX' })
  const checks = []
  for (let round = 0; round < 2000; round += 1) {
    const from = performance.now()
    await identity.verifyIdToken(tokens.IdToken)
    checks.push((performance.now() - from) * 1000)
  }
  report('verify a remembered token', `${median(checks).toFixed(1)} µs`)

  await compare('sign-in, first step', confirmed, start)
  await compare('sign-in, second step', confirmed, (a) => finishSignIn(pool, a), {
    prepare: (login) => beginSignIn(pool, login, 'Wr0ng'),
  })
  await compare('request a password reset', confirmed, (Username) => call('ForgotPassword', { Username }))
  await compare('resend a confirmation code', waiting, (Username) => call('ResendConfirmationCode', { Username }), {
    // In the same format as a known name, because the format of a name decides which statements run.
    makeUnknown: () => `zoe${randomUUID().slice(0, 8)}`,
  })
} finally {
  await app.close()
  await mail.stop()
  await database.close()
  await rm(folder, { recursive: true, force: true })
}
