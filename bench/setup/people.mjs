import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { signIn as signInBySrp, signUp } from '../../identity/src/testing/people.ts'

const PASSWORD = 'Passw0rdX'

/** The user pool of a running server, as its clients see it. */
async function poolAt(url) {
  const { auth } = await (await fetch(`${url}/config.json`)).json()
  const call = async (operation, body) => {
    const reply = await fetch(`${url}/identity/`, {
      method: 'POST',
      headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ClientId: auth.userPoolClientId, ...body }),
    })
    return { status: reply.status, body: await reply.json() }
  }
  return { identity: { pool: auth }, call }
}

/** Signs up and confirms this many users. Returns `{userId, username, email}` of each. */
export async function signUpPeople(url, dataDir, count) {
  const pool = await poolAt(url)
  const people = []
  for (let n = 0; n < count; n += 1) {
    const username = `person-${String(n).padStart(4, '0')}`
    const person = { username, email: `${username}-${randomUUID().slice(0, 8)}@example.com`, password: PASSWORD }
    people.push({ userId: await signUp(pool, person), username, email: person.email })
    const ConfirmationCode = await codeFor(person.email, dataDir)
    const { status, body } = await pool.call('ConfirmSignUp', { Username: username, ConfirmationCode })
    if (status !== 200) throw new Error(body.message)
  }
  return people
}

/** Signs all users in. Returns their id tokens by user id. */
export async function signInPeople(url, people) {
  const pool = await poolAt(url)
  const tokens = new Map()
  for (const { userId, email } of people) {
    const { IdToken } = await signInBySrp(pool, { email, password: PASSWORD })
    tokens.set(userId, IdToken)
  }
  return tokens
}

async function codeFor(email, dataDir) {
  const outbox = join(dataDir, 'outbox')
  for (;;) {
    for (const name of existsSync(outbox) ? await readdir(outbox) : []) {
      if (!name.endsWith('.eml')) continue
      const text = await readFile(join(outbox, name), 'utf8')
      if (!text.includes(email)) continue
      const code = /^\d{6}$/mu.exec(text)?.[0]
      if (code) return code
    }
    await pause(5)
  }
}

export async function forgetMails(dataDir) {
  await rm(join(dataDir, 'outbox'), { recursive: true, force: true })
}
