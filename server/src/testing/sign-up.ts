import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import {
  CognitoIdentityProviderClient,
  ConfirmSignUpCommand,
  InitiateAuthCommand,
  RespondToAuthChallengeCommand,
  SignUpCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { type Challenge, srpClient } from '@marquee/identity/testing/srp-client'

export const PASSWORD = 'Correct-Horse-7'
const POLL_MS = 50
const POLLS = 200

type Config = { auth: { userPoolId: string; userPoolClientId: string; userPoolEndpoint: string } }

/** The source of the codes: the outbox folder of a server, or a mail server. */
type Codes = { dataDir: string } | { codeFor: (email: string) => Promise<string> }

/** Signs a user up with the code from the real mail, and in with SRP. Returns the id token. */
export async function signUp({ url, name, ...codes }: { url: string; name: string } & Codes): Promise<string> {
  await makeAccount({ url, name, ...codes })
  return await signIn(url, name)
}

/** Signs a user up with the code from the real mail. */
export async function makeAccount({ url, name, ...codes }: { url: string; name: string } & Codes): Promise<void> {
  const { client, ClientId } = await openPool(url)
  const email = `${name}@example.org`
  await client.send(
    new SignUpCommand({
      ClientId,
      Username: name,
      Password: PASSWORD,
      UserAttributes: [{ Name: 'email', Value: email }],
    }),
  )
  const ConfirmationCode = await ('dataDir' in codes ? codeInFolder(email, codes.dataDir) : codes.codeFor(email))
  await client.send(new ConfirmSignUpCommand({ ClientId, Username: name, ConfirmationCode }))
  client.destroy()
}

/** Signs a user of `signUp` in. Returns the id token. */
export async function signIn(url: string, name: string): Promise<string> {
  return (await openSession(url, name)).idToken
}

/** `signIn` with the token that renews the session, too. */
export async function openSession(url: string, name: string): Promise<{ idToken: string; refreshToken: string }> {
  const { client, ClientId, userPoolId } = await openPool(url)
  const srp = srpClient(userPoolId)
  const AuthParameters = { USERNAME: `${name}@example.org`, SRP_A: srp.A }
  const begun = await client.send(new InitiateAuthCommand({ ClientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters }))
  const ChallengeResponses = srp.answer(begun.ChallengeParameters as Challenge, PASSWORD)
  const { AuthenticationResult: tokens } = await client.send(
    new RespondToAuthChallengeCommand({ ClientId, ChallengeName: 'PASSWORD_VERIFIER', ChallengeResponses }),
  )
  client.destroy()
  if (tokens?.IdToken === undefined || tokens.RefreshToken === undefined) throw new Error('The password is not enough')
  return { idToken: tokens.IdToken, refreshToken: tokens.RefreshToken }
}

/** A client of the server's user pool, of which the server tells every browser. */
async function openPool(url: string) {
  const { auth } = (await (await fetch(`${url}/config.json`)).json()) as Config
  const client = new CognitoIdentityProviderClient({
    endpoint: auth.userPoolEndpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  })
  return { client, ClientId: auth.userPoolClientId, userPoolId: auth.userPoolId }
}

/** The six digits on a line of their own in the mail to this address. */
async function codeInFolder(email: string, dataDir: string): Promise<string> {
  const outbox = join(dataDir, 'outbox')
  for (let poll = 0; poll < POLLS; poll += 1) {
    const names = await readdir(outbox).catch(() => [])
    for (const name of names.filter((file) => file.endsWith('.eml'))) {
      const mail = await readFile(join(outbox, name), 'utf8')
      const code = /^\d{6}$/mu.exec(mail)?.[0]
      if (mail.includes(email) && code !== undefined) return code
    }
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS)
    })
  }
  throw new Error(`There is no mail with a code for ${email}`)
}
