import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  CognitoIdentityProviderClient,
  ConfirmForgotPasswordCommand,
  InitiateAuthCommand,
  SignUpCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ANY_ENGINE } from '@marquee/platform/testing/each-database'
import { freePort } from '@marquee/platform/testing/free-port'
import { freshPostgresUrl } from '@marquee/platform/testing/postgres-server'

import { clientOf } from '../testing/api-client.ts'
import { openStream } from '../testing/open-stream.ts'
import { operate, runMarquee } from '../testing/run-marquee.ts'
import { type ServerProcess, startServer } from '../testing/server-process.ts'
import { signIn, signUp } from '../testing/sign-up.ts'

const NEW_PASSWORD = 'Another-Horse-8'

describe.each<'SQLite' | 'PostgreSQL'>(ANY_ENGINE)('commands beside a running server on %s', (engine) => {
  let dataDir: string
  let settings: Record<string, string>
  let server: ServerProcess
  let ClientId: string
  let client: CognitoIdentityProviderClient
  let token: string

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'marquee-cli-'))
    settings = { DATA_DIR: dataDir, ...(engine === 'PostgreSQL' && { DATABASE_URL: await freshPostgresUrl() }) }
    const PORT = String(await freePort())
    server = await startServer({ ...settings, PORT })
    token = await signUp({ url: server.url, dataDir, name: 'ana' })
    const { auth } = (await (await fetch(`${server.url}/config.json`)).json()) as {
      auth: { userPoolClientId: string; userPoolEndpoint: string }
    }
    ClientId = auth.userPoolClientId
    client = new CognitoIdentityProviderClient({
      endpoint: auth.userPoolEndpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    })
  })
  afterAll(async () => {
    client.destroy()
    await server.end('SIGTERM')
    await rm(dataDir, { recursive: true, force: true })
  })

  const marquee = async (...args: string[]) => await operate(args, settings)

  const signUpOnly = async (Username: string) => {
    const UserAttributes = [{ Name: 'email', Value: `${Username}@example.org` }]
    await client.send(new SignUpCommand({ ClientId, Username, Password: 'Correct-Horse-7', UserAttributes }))
  }

  const signInWith = async (USERNAME: string, PASSWORD: string) =>
    await client.send(
      new InitiateAuthCommand({
        ClientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME, PASSWORD },
      }),
    )

  test('users are listed, and found by name and by address', async () => {
    const [list, byName, byAddress, unknown] = [
      await marquee('users', 'list'),
      await marquee('users', 'find', 'ANA'),
      await marquee('users', 'find', 'ana@example.org'),
      await marquee('users', 'find', 'unknown'),
    ]

    expect(list).toMatchObject({ code: 0, output: expect.stringMatching(/^ana\t.+\tCONFIRMED\tsigned in /u) as string })
    expect(byName).toMatchObject({ code: 0, output: expect.stringContaining('username: ana\n') as string })
    expect(byAddress.output).toBe(byName.output)
    expect(unknown).toEqual({ code: 1, output: 'There is no user unknown.\n' })
  })

  test('an export prints all data of a user', async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    await fetch(`${server.url}/api/watchlists`, { method: 'POST', headers, body: '{"name":"Films to export"}' })
    const { code, output } = await marquee('export', 'ana')

    expect(code).toBe(0)
    expect(JSON.parse(output)).toMatchObject({
      account: { username: 'ana', email: 'ana@example.org' },
      watchlists: [{ name: 'Films to export' }],
    })
  })

  test('a demo watchlist can be added once and removed', async () => {
    const lists = async () => await clientOf(server, token)('GET', '/watchlists')

    expect(await marquee('demo', 'ana')).toMatchObject({ code: 0 })
    const again = await marquee('demo', 'ana')
    expect([again.code, again.output]).toEqual([1, 'ana has a demo watchlist. Remove it first: demo ana --remove\n'])
    expect(JSON.stringify(await lists())).toContain('Friday film club (demo)')

    expect((await marquee('demo', 'ana', '--remove')).output).toBe('The demo watchlist is removed.\n')
    expect(JSON.stringify(await lists())).not.toContain('Friday film club (demo)')
  })

  test('a demo watchlist that was handed over is not removed', async () => {
    await marquee('demo', 'ana')
    const api = clientOf(server, token)
    const { body: lists } = await api<{ id: string; name: string }[]>('GET', '/watchlists')
    const { id = '' } = lists.find(({ name }) => name === 'Friday film club (demo)') ?? {}
    await api('PUT', `/watchlists/${id}/owner`, { username: 'Mia\u00A0(demo)' })

    const { code, output } = await marquee('demo', 'ana', '--remove')

    expect([code, output]).toEqual([1, 'The demo watchlist of ana has another owner by now.\n'])
  })

  test('the operator can confirm a user who gets no mail, and the user can then sign in', async () => {
    await signUpOnly('ben')
    const [done, again] = [await marquee('users', 'confirm', 'ben'), await marquee('users', 'confirm', 'ben')]

    expect(done).toEqual({ code: 0, output: 'ben is confirmed and may sign in.\n' })
    expect(again).toEqual({ code: 1, output: 'ben is confirmed already.\n' })
    expect(await signIn(server.url, 'ben')).not.toBe('')
  })

  test('a reset link sets a new password once, without a mail', async () => {
    await signUp({ url: server.url, dataDir, name: 'cleo' })
    const { code, output } = await marquee('users', 'reset-link', 'cleo')
    const link = new URL(output.trim())
    const { username, code: ConfirmationCode } = Object.fromEntries(new URLSearchParams(link.hash.slice(1)))
    const use = async (Password: string) =>
      await client.send(new ConfirmForgotPasswordCommand({ ClientId, Username: username, ConfirmationCode, Password }))
    await use(NEW_PASSWORD)

    expect(code).toBe(0)
    expect(link.pathname).toBe('/auth/reset-password')
    expect((await signInWith('cleo', NEW_PASSWORD)).AuthenticationResult?.IdToken).toBeDefined()
    await expect(use(`${NEW_PASSWORD}2`)).rejects.toThrow(/expired|invalid/iu)
  })

  // Evidence: asvs-6.4.1
  test('a created user gets a temporary password, and a taken name or address is reported', async () => {
    const { code, output } = await marquee('users', 'create', 'fay', 'fay@example.org')
    const password = output.trim().split('\n').at(-1) ?? ''
    const [name, address, shape] = [
      await marquee('users', 'create', 'Fay', 'other@example.org'),
      await marquee('users', 'create', 'gus', 'fay@example.org'),
      await marquee('users', 'create', 'gus', 'nowhere'),
    ]

    expect(code).toBe(0)
    expect(await signInWith('fay@example.org', password)).toMatchObject({ ChallengeName: 'NEW_PASSWORD_REQUIRED' })
    expect(name).toEqual({ code: 1, output: 'User already exists\n' })
    expect(address).toEqual({ code: 1, output: 'An account with the email already exists.\n' })
    expect(shape).toEqual({ code: 1, output: 'Invalid email address format.\n' })
    expect((await marquee('users', 'create', 'gus')).code).toBe(2)
  })

  test('a temporary password and a required reset each invalidate the earlier password', async () => {
    await signUp({ url: server.url, dataDir, name: 'hal' })
    const { output } = await marquee('users', 'temporary-password', 'hal')
    const temporary = output.trim().split('\n').at(-1) ?? ''

    expect(await signInWith('hal', temporary)).toMatchObject({ ChallengeName: 'NEW_PASSWORD_REQUIRED' })
    await expect(signIn(server.url, 'hal')).rejects.toThrow('Incorrect username or password.')
    expect(await marquee('users', 'require-reset', 'hal')).toMatchObject({ code: 0 })
    await expect(signInWith('hal', temporary)).rejects.toThrow('Password reset required for the user')
  })

  /** How many heartbeats the event stream of a new user gets until an operator's command ends it. */
  async function heartbeatsUntilEndedBy(command: string[], name: string): Promise<number> {
    const idToken = await signUp({ url: server.url, dataDir, name })
    const { body } = await clientOf(server, token)<{ id: string }>('POST', '/watchlists', { name: 'Films' })
    const stream = await openStream(`${server.url}/api/watchlists/${body.id}/events`, idToken)
    await marquee(...command)
    await stream.ended
    return stream.heartbeats()
  }

  // Evidence: asvs-7.4.5
  test('a disabled user is signed out at once and rejected until enabled', async () => {
    const heartbeats = await heartbeatsUntilEndedBy(['users', 'disable', 'dora'], 'dora')
    await expect(signIn(server.url, 'dora')).rejects.toThrow('disabled')
    const link = await marquee('users', 'reset-link', 'dora')
    await marquee('users', 'enable', 'dora')

    expect(link).toMatchObject({ code: 1, output: expect.stringContaining('cannot reset') as string })
    expect(await signIn(server.url, 'dora')).not.toBe('')
    expect(heartbeats).toBe(0)
  })

  test('an account is deleted with its watchlists only after the operator confirms', async () => {
    const api = clientOf(server, await signUp({ url: server.url, dataDir, name: 'emil' }))
    await api('POST', '/watchlists', { name: 'Films of emil' })
    const count = async () => Number(/^watchlists: (\d+)$/mu.exec((await marquee('stats')).output)?.[1])
    const before = await count()
    const untyped = await runMarquee(['delete', 'emil'], { settings })
    const between = await count()
    const typed = await marquee('delete', 'emil', '--yes')
    const after = await count()
    const heartbeats = await heartbeatsUntilEndedBy(['delete', 'ida', '--yes'], 'ida')

    expect(untyped).toMatchObject({ code: 1, output: expect.stringContaining('Nothing was deleted.') as string })
    expect([between, after]).toEqual([before, before - 1])
    expect(heartbeats).toBe(0)
    expect(typed).toEqual({ code: 0, output: 'emil is deleted.\n' })
    expect((await marquee('users', 'find', 'emil')).code).toBe(1)
  })

  test('rotating the keys keeps users signed in', async () => {
    const signing = await marquee('keys', 'rotate-signing')
    const encryption = await marquee('keys', 'rotate-encryption')
    const { status } = await clientOf(server, token)('GET', '/watchlists')

    expect(signing).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^New keys .+ and .+ sign from /u) as string,
    })
    expect(encryption).toEqual({ code: 0, output: '0 values were encrypted again.\n' })
    expect(status).toBe(200)
  })
})

test('a command does not create a missing instance, and wrong arguments print the usage', async () => {
  const settings = { DATA_DIR: join(tmpdir(), 'marquee-nowhere') }
  const [none, misspelt, help] = [
    await operate(['users', 'list'], settings),
    await runMarquee(['users', 'fly', 'ana'], { settings }),
    await operate(['help'], settings),
  ]

  expect(none).toMatchObject({ code: 1, output: expect.stringContaining('There is no instance in') as string })
  expect(misspelt).toMatchObject({ code: 2, output: expect.stringContaining('users cannot fly') as string })
  expect(help).toMatchObject({ code: 0, output: expect.stringContaining('users reset-link ana') as string })
})
