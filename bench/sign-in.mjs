// Measures a sign-in with SRP on a real server process, with the clients in this one: the CPU time of all threads of the
// server, compared with the CPU time of the bare arithmetic, and how long another request waits meanwhile.
import { generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'

import { power, toGroupBytes } from '../identity/src/base/srp/srp.ts'
import { beginSignIn, finishSignIn } from '../identity/src/testing/people.ts'
import { processorMs } from './measure/processor.mjs'
import { atMost, report } from './measure/report.mjs'
import { median, medianRatio } from './measure/rounds.mjs'
import { startProgram } from './setup/program.mjs'

const BATCHES = 12
const BATCH = 25
const WARM = 600
const AT_ONCE = 8
const PASSWORD = 'Passw0rdX'

const folder = await mkdtemp(join(tmpdir(), 'marquee-bench-'))
const { port, pid, url, stop } = await startProgram({ DATA_DIR: folder, LOG_LEVEL: 'silent' })
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })

async function call(operation, body) {
  const asked = request({
    agent,
    port,
    host: '127.0.0.1',
    path: '/identity/',
    method: 'POST',
    headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`, 'content-type': 'application/json' },
  })
  asked.end(JSON.stringify({ ClientId: clientId, ...body }))
  const [reply] = await once(asked, 'response')
  const chunks = await reply.toArray()
  return { status: reply.statusCode, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) }
}

const signer = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const number = toGroupBytes(2n ** 3000n + 12_345n)

/** The arithmetic that no server can avoid: the three powers of a handshake and the signatures of two tokens. */
function bareArithmetic() {
  for (let n = 0; n < 3; n += 1) power(number, randomBytes(32))
  for (let n = 0; n < 2; n += 1) sign('sha256', number, signer)
}

function bareCost() {
  const before = process.cpuUsage()
  for (let n = 0; n < BATCH; n += 1) bareArithmetic()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / BATCH
}

/** Sends trivial requests until `act` ends. Returns the longest duration in milliseconds. */
async function longestWait(act) {
  const probe = new Agent({ keepAlive: true, maxSockets: 1 })
  let [longest, isDone] = [0, false]
  const ask = async () => {
    while (!isDone) {
      const start = performance.now()
      const asked = request({ agent: probe, port, host: '127.0.0.1', path: '/healthz' }).end()
      const [reply] = await once(asked, 'response')
      await reply.toArray()
      longest = Math.max(longest, performance.now() - start)
    }
  }
  const asking = ask()
  await act()
  isDone = true
  await asking
  probe.destroy()
  return longest
}

let clientId
try {
  const config = await (await fetch(`${url}/config.json`)).json()
  clientId = config.auth.userPoolClientId
  const pool = { identity: { pool: config.auth }, call }
  const email = `${randomUUID().slice(0, 13)}@example.com`
  const Username = `zoe${randomUUID().slice(0, 8)}`
  await call('SignUp', { Username, Password: PASSWORD, UserAttributes: [{ Name: 'email', Value: email }] })
  await call('ConfirmSignUp', { Username, ConfirmationCode: await codeOf() })
  const signIn = async () => await finishSignIn(pool, await beginSignIn(pool, email, PASSWORD))

  for (let round = 0; round < WARM; round += 1) await signIn()
  const [lone, together, floors, waits, idleWaits] = [[], [], [], [], []]
  for (let batch = 0; batch < BATCHES; batch += 1) {
    floors.push(bareCost())
    const before = processorMs(pid)
    for (let round = 0; round < BATCH; round += 1) await signIn()
    const between = processorMs(pid)
    await Promise.all(Array.from({ length: BATCH }, signIn))
    lone.push((between - before) / BATCH)
    together.push((processorMs(pid) - between) / BATCH)
  }
  for (let round = 0; round < 60; round += 1) {
    const answer = await beginSignIn(pool, email, PASSWORD)
    idleWaits.push(await longestWait(async () => await new Promise((resolve) => setTimeout(resolve, 6))))
    waits.push(await longestWait(async () => await finishSignIn(pool, answer)))
  }
  const costs = { 'one after the other': lone, [`${AT_ONCE} at once`]: together }
  for (const [how, times] of Object.entries(costs)) {
    const ratio = medianRatio(times, floors)
    const measured = `${median(times).toFixed(2)} ms, ${ratio.toFixed(2)} times its arithmetic`
    report(`CPU time of a sign-in with SRP, ${how}`, measured, atMost(ratio, 1.3))
  }
  const wait = median(waits) - median(idleWaits)
  const measured = `${median(waits).toFixed(2)} ms, ${median(idleWaits).toFixed(2)} ms without one`
  report('longest wait of another request during a sign-in', measured, { target: 'at most 2 ms more', met: wait <= 2 })
} finally {
  agent.destroy()
  await stop()
  await rm(folder, { recursive: true, force: true })
}

async function codeOf() {
  const outbox = join(folder, 'outbox')
  for (;;) {
    const [mail] = existsSync(outbox) ? readdirSync(outbox).filter((name) => name.endsWith('.eml')) : []
    const code = mail && /^\d{6}$/mu.exec(readFileSync(join(outbox, mail), 'utf8'))?.[0]
    if (code) return code
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
