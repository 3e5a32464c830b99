import { setTimeout as pause } from 'node:timers/promises'

import type { Knowledge } from './known.ts'
import type { Send, Sent } from './parts.ts'

const PASSWORD = 'Passw0rdX'
const NAMES = ['ana', 'ben', 'Zoë 🎬', 'eve']
const POLL_MS = 20
const POLLS = 1_000

/** A tested server, and the codes that it mails. */
export type Target = { send: Send; codeOf: (email: string) => string | undefined }

export type FuzzUsers = {
  /** The id tokens of the users who send the requests. They are owners and members of watchlists. */
  idTokens: () => readonly string[]
  /** Signs these users in again. */
  renew: () => Promise<void>
  /** Signs up users of whom all credentials are known, so that generated requests can sign in as them and delete them. */
  sacrifice: () => Promise<void>
}

/** Signs up users, and creates watchlists, cards, comments and an invitation. */
export async function signUpUsers(target: Target, knowledge: Knowledge): Promise<FuzzUsers> {
  const config = await call(target, { method: 'GET', url: '/config.json' })
  const { userPoolId, userPoolClientId: ClientId, identityPoolId } = config['auth'] as Record<string, string>
  knowledge.learn('ClientId', String(ClientId))
  knowledge.learn('UserPoolId', String(userPoolId))
  if (identityPoolId !== undefined) knowledge.learn('IdentityPoolId', identityPoolId)

  const operation = async (name: string, body: object) =>
    await call(target, {
      method: 'POST',
      url: '/identity/',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSCognitoIdentityProviderService.${name}`,
      },
      payload: JSON.stringify({ ClientId, ...body }),
    })
  const signUp = async (Username: string) => {
    const email = `${Buffer.from(Username).toString('hex')}@example.org`
    const UserAttributes = [{ Name: 'email', Value: email }]
    const reply = await operation('SignUp', { Username, Password: PASSWORD, UserAttributes })
    return { email, reply, code: await codeFor(target, email) }
  }
  const signIn = async (USERNAME: string) => {
    const AuthParameters = { USERNAME, PASSWORD }
    const { AuthenticationResult } = await operation('InitiateAuth', { AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters })
    return AuthenticationResult as Record<string, string>
  }
  const join = async (Username: string) => {
    const { email, code } = await signUp(Username)
    await operation('ConfirmSignUp', { Username, ConfirmationCode: code })
    return { email, tokens: await signIn(Username) }
  }

  const idTokens: string[] = []
  for (const name of NAMES) idTokens.push(String((await join(name)).tokens['IdToken']))
  await makeWatchlists(target, knowledge, idTokens)

  let sacrificed = 0
  return {
    idTokens: () => idTokens,
    renew: async () => {
      for (const [index, name] of NAMES.entries()) idTokens[index] = String((await signIn(name))['IdToken'])
    },
    sacrifice: async () => {
      const [waiting, joined] = [`waiting ${sacrificed}`, `joined ${sacrificed}`]
      sacrificed += 1
      const { email, reply, code } = await signUp(waiting)
      knowledge.learnFrom(reply, {})
      const { email: other, tokens } = await join(joined)
      knowledge.learnFrom(tokens, {})
      for (const login of [waiting, joined]) knowledge.learn('login', login)
      for (const address of [email, other]) knowledge.learn('loginEmail', address)
      knowledge.learn('code', code)
    },
  }
}

async function makeWatchlists(target: Target, knowledge: Knowledge, idTokens: readonly string[]): Promise<void> {
  const api = async (token: string | undefined, url: string, body?: object) => {
    const reply = await call(target, {
      method: 'POST',
      url: `/api${url}`,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      payload: body && JSON.stringify(body),
    })
    knowledge.learnFrom(reply, {})
    return reply
  }
  for (const [index, token] of idTokens.entries()) {
    const { id } = await api(token, '/watchlists', { name: 'Friday films' })
    const inside = `/watchlists/${String(id)}`
    for (const step of [1, 2]) {
      const member = (index + step) % NAMES.length
      const { token: invitation } = await api(token, `${inside}/invitations`, { username: NAMES[member] })
      await api(idTokens[member], '/invitations/acceptance', { token: invitation })
    }
    await api(token, `${inside}/invitations`, { username: NAMES[(index + 3) % NAMES.length] })
    for (const revealImmediately of [true, false, true]) {
      const card = { title: 'Paris, Texas', image: 'https://example.org/poster.jpg', revealImmediately }
      const { id: cardId } = await api(token, `${inside}/cards`, card)
      if (revealImmediately) await api(token, `${inside}/cards/${String(cardId)}/comments`, { content: 'Tonight?' })
    }
  }
}

type Call = Pick<Sent, 'method' | 'url'> & { headers?: Record<string, string>; payload?: string | undefined }

async function call({ send }: Target, { method, url, headers = {}, payload }: Call): Promise<Record<string, unknown>> {
  const reply = await send({ method, url, headers, payload, isCut: false, isStream: false })
  if (reply === undefined || reply.status >= 400) throw new Error(`${method} ${url}: ${reply?.status} ${reply?.body}`)
  return JSON.parse(reply.body) as Record<string, unknown>
}

async function codeFor({ codeOf }: Target, email: string): Promise<string> {
  for (let poll = 0; poll < POLLS; poll += 1) {
    const code = codeOf(email)
    if (code !== undefined) return code
    await pause(POLL_MS)
  }
  throw new Error(`There is no code for ${email}`)
}
