// Measures the cost of a sign-in with SRP on a real server process, with the clients in this one. Prints the CPU time of
// all its threads, compared with the CPU time of the bare arithmetic, and how long another request waits meanwhile.
import { spawn } from 'node:child_process'
import { generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'

import { power, toGroupBytes } from '../identity/src/base/srp/srp.ts'
import { beginSignIn, finishSignIn } from '../identity/src/testing/people.ts'
import { root } from '../tools/run/dependencies.mjs'
import { SERVER, SERVER_ENV } from '../tools/run/start.mjs'
import { report } from './measure/report.mjs'

const BATCHES = 12
const BATCH = 25
const WARM = 600
const AT_ONCE = 8
const PASSWORD = 'Passw0rdX'
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const folder = await mkdtemp(join(tmpdir(), 'marquee-bench-'))
const port = await freePort()
const server = spawn(process.execPath, SERVER, {
  cwd: root,
  env: { ...SERVER_ENV, PORT: String(port), DATA_DIR: folder, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port: free } = probe.address()
  probe.close()
  await once(probe, 'close')
  return free
}

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

/** The CPU time of all threads of the server so far, in milliseconds. */
function serverTime() {
  const tasks = `/proc/${server.pid}/task`
  const times = readdirSync(tasks).map((id) => Number(readFileSync(join(tasks, id, 'schedstat'), 'utf8').split(' ')[0]))
  return times.reduce((sum, time) => sum + time, 0) / 1e6
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
  await once(server.stdout, 'data')
  const config = await (await fetch(`http://127.0.0.1:${port}/config.json`)).json()
  clientId = config.auth.userPoolClientId
  const pool = { identity: { pool: config.auth }, call }
  const email = `${randomUUID().slice(0, 13)}@example.com`
  const Username = `zoe${randomUUID().slice(0, 8)}`
  await call('SignUp', { Username, Password: PASSWORD, UserAttributes: [{ Name: 'email', Value: email }] })
  await call('ConfirmSignUp', { Username, ConfirmationCode: await codeOf() })
  const signIn = async () => await finishSignIn(pool, await beginSignIn(pool, email, PASSWORD))

  for (let round = 0; round < WARM; round += 1) await signIn()
  const [costs, lone, floors, waits, idleWaits] = [[], [], [], [], []]
  for (let batch = 0; batch < BATCHES; batch += 1) {
    floors.push(bareCost())
    const before = serverTime()
    for (let round = 0; round < BATCH; round += 1) await signIn()
    const between = serverTime()
    await Promise.all(Array.from({ length: BATCH }, signIn))
    lone.push((between - before) / BATCH)
    costs.push((serverTime() - between) / BATCH)
  }
  for (let round = 0; round < 60; round += 1) {
    const answer = await beginSignIn(pool, email, PASSWORD)
    idleWaits.push(await longestWait(async () => await new Promise((resolve) => setTimeout(resolve, 6))))
    waits.push(await longestWait(async () => await finishSignIn(pool, answer)))
  }
  const [cost, floor] = [median(costs), median(floors)]
  const alone = `${(cost / floor).toFixed(2)} times its bare arithmetic`
  console.log(`a sign-in, ${AT_ONCE} at once: ${cost.toFixed(2)} ms of CPU time, ${alone}`)
  console.log(`a sign-in, one after the other: ${median(lone).toFixed(2)} ms of CPU time`)
  report('sign-ins with SRP per second and core', (1000 / cost).toFixed(0))
  console.log(
    `longest wait of another request during a sign-in: ${median(waits).toFixed(2)} ms, ${median(idleWaits).toFixed(2)} ms without sign-ins`,
  )
} finally {
  agent.destroy()
  server.kill('SIGTERM')
  await once(server, 'exit')
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
