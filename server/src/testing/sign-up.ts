// oxlint-disable typescript/no-deprecated -- deprecated, but still the smallest client that speaks SRP as browsers do
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import {
  CognitoIdentityProviderClient,
  ConfirmSignUpCommand,
  SignUpCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { AuthenticationDetails, CognitoUser, CognitoUserPool } from 'amazon-cognito-identity-js'

export const PASSWORD = 'Correct-Horse-7'
const POLL_MS = 50
const POLLS = 200

type Config = { auth: { userPoolId: string; userPoolClientId: string; userPoolEndpoint: string } }

/** The source of the codes: the outbox folder of a server, or a mail server. */
type Codes = { dataDir: string } | { codeFor: (email: string) => Promise<string> }

/** Signs a user up with the code from the real mail, and in with SRP. Returns the id token. */
export async function signUp({ url, name, ...codes }: { url: string; name: string } & Codes): Promise<string> {
  const { auth } = (await (await fetch(`${url}/config.json`)).json()) as Config
  const client = new CognitoIdentityProviderClient({
    endpoint: auth.userPoolEndpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  })
  const email = `${name}@example.org`
  await client.send(
    new SignUpCommand({
      ClientId: auth.userPoolClientId,
      Username: name,
      Password: PASSWORD,
      UserAttributes: [{ Name: 'email', Value: email }],
    }),
  )
  const ConfirmationCode = await ('dataDir' in codes ? codeInFolder(email, codes.dataDir) : codes.codeFor(email))
  await client.send(new ConfirmSignUpCommand({ ClientId: auth.userPoolClientId, Username: name, ConfirmationCode }))
  client.destroy()
  return await signIn(url, name)
}

/** Signs a user of `signUp` in. Returns the id token. */
export async function signIn(url: string, name: string): Promise<string> {
  return (await openSession(url, name)).idToken
}

/** `signIn` with the token that renews the session, too. */
export async function openSession(url: string, name: string): Promise<{ idToken: string; refreshToken: string }> {
  const { auth } = (await (await fetch(`${url}/config.json`)).json()) as Config
  const email = `${name}@example.org`
  const Pool = new CognitoUserPool({
    UserPoolId: auth.userPoolId,
    ClientId: auth.userPoolClientId,
    endpoint: auth.userPoolEndpoint,
  })
  const user = new CognitoUser({ Username: email, Pool })
  return await new Promise((resolve, reject) => {
    user.authenticateUser(new AuthenticationDetails({ Username: email, Password: PASSWORD }), {
      onSuccess: (session) => {
        resolve({
          idToken: session.getIdToken().getJwtToken(),
          refreshToken: session.getRefreshToken().getToken(),
        })
      },
      onFailure: reject,
    })
  })
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
