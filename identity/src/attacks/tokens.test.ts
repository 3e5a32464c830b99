import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto'

import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { anyDatabase } from '@marquee/platform/testing/each-database'

import { InvalidToken } from '../index.ts'
import { aPool, POOL_TABLES, type RunningPool } from '../testing/a-pool.ts'
import { aConfirmedUser, type Person, signIn, type Tokens } from '../testing/people.ts'

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

anyDatabase(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let zoe: Person & { sub: string }
  let tokens: Tokens
  beforeAll(async () => {
    pool = await aPool(useDatabase())
    zoe = await aConfirmedUser(pool)
    tokens = await signIn(pool, zoe)
  })
  afterAll(async () => {
    await pool.close()
  })

  const getUser = async (AccessToken: string) => await pool.call('GetUser', { AccessToken })
  const INVALID = {
    status: 400,
    body: { __type: 'NotAuthorizedException', message: 'Invalid Access Token' },
  }
  /** The results of a forged id token and a forged access token. */
  async function fateOf(forge: (token: string) => string | Promise<string>): Promise<unknown[]> {
    const taken = pool.identity.verifyIdToken(await forge(tokens.IdToken))
    const idToken = await taken.catch((error: unknown) => (error instanceof InvalidToken ? 'refused' : error))
    return [idToken, await getUser(await forge(tokens.AccessToken))]
  }
  const BOTH_REFUSED = ['refused', INVALID]

  // Evidence: asvs-9.1.1, asvs-9.1.2
  test.each(['none', 'None', 'NONE', 'nOnE'])('a token without a signature (alg %s) is rejected', async (alg) => {
    expect(
      await fateOf((token) => `${encode({ ...decodeProtectedHeader(token), alg })}.${token.split('.')[1]}.`),
    ).toEqual(BOTH_REFUSED)
    const unsigned = `${encode({ ...decodeProtectedHeader(tokens.IdToken), alg })}.${tokens.IdToken.split('.')[1]}.`
    await expect(pool.identity.verifyIdToken(unsigned)).rejects.toThrow(InvalidToken)
  })

  // Evidence: asvs-9.1.2
  test('a token signed with HS256 and the public key, in any encoding, is rejected', async () => {
    const { body } = await pool.app.inject(`/identity/${pool.identity.pool.userPoolId}/.well-known/jwks.json`)
    for (const jwk of (JSON.parse(body) as { keys: JsonWebKey[] }).keys) {
      const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' })
      for (const secret of [pem, String(jwk.n), JSON.stringify(jwk)]) {
        expect(
          await fateOf((token) => {
            const signed = `${encode({ ...decodeProtectedHeader(token), alg: 'HS256' })}.${token.split('.')[1]}`
            return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
          }),
        ).toEqual(BOTH_REFUSED)
      }
    }
  })

  // Evidence: asvs-9.1.3
  test('a token signed with a key of the attacker is rejected, even if its header contains or names the key', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jwk = publicKey.export({ format: 'jwk' })
    const jku = 'https://attacker.example/jwks.json'
    for (const extra of [{}, { jwk }, { jku }, { x5u: jku }, { kid: '../../../dev/null' }]) {
      expect(
        await fateOf(
          async (token) =>
            await new SignJWT(decodeJwt(token))
              .setProtectedHeader({ ...decodeProtectedHeader(token), alg: 'RS256', ...extra })
              .sign(privateKey),
        ),
      ).toEqual(BOTH_REFUSED)
    }
  })

  // Evidence: asvs-9.2.2
  test('id and access tokens are not accepted in place of each other, even with swapped key ids', async () => {
    expect(await getUser(tokens.IdToken)).toEqual(INVALID)
    await expect(pool.identity.verifyIdToken(tokens.AccessToken)).rejects.toThrow(InvalidToken)

    const renamed = (token: string, as: string) =>
      [encode(decodeProtectedHeader(as)), ...token.split('.').slice(1)].join('.')
    expect(await getUser(renamed(tokens.IdToken, tokens.AccessToken))).toEqual(INVALID)
    await expect(pool.identity.verifyIdToken(renamed(tokens.AccessToken, tokens.IdToken))).rejects.toThrow(InvalidToken)
  })

  // Evidence: asvs-9.1.1
  test('a token with a changed claim or the signature of another token is rejected', async () => {
    const other = await signIn(pool, await aConfirmedUser(pool))
    expect(
      await fateOf((token) => {
        const [header, , signature] = token.split('.')
        return [header, encode({ ...decodeJwt(token), sub: decodeJwt(other.IdToken).sub }), signature].join('.')
      }),
    ).toEqual(BOTH_REFUSED)
  })

  // Evidence: asvs-7.4.3
  test('a password change voids the tokens of all other sessions, and its own session stays valid', async () => {
    const mia = await aConfirmedUser(pool)
    const [here, ...others] = [await signIn(pool, mia), await signIn(pool, mia), await signIn(pool, mia)]
    for (const { IdToken } of others) await pool.identity.verifyIdToken(IdToken)

    const passwords = { PreviousPassword: mia.password, ProposedPassword: 'An0therPassword' }
    await pool.call('ChangePassword', { AccessToken: here.AccessToken, ...passwords })

    const refresh = async ({ RefreshToken }: Tokens) => await pool.call('GetTokensFromRefreshToken', { RefreshToken })
    for (const other of others) {
      await expect(pool.identity.verifyIdToken(other.IdToken)).rejects.toThrow(InvalidToken)
      expect((await getUser(other.AccessToken)).status).toBe(400)
      expect((await refresh(other)).status).toBe(400)
    }
    expect(await pool.identity.verifyIdToken(here.IdToken)).toMatchObject({ username: mia.username })
    expect(await getUser(here.AccessToken)).toMatchObject({ status: 200 })
    expect(await refresh(here)).toMatchObject({ status: 200 })
  })

  // Evidence: asvs-7.4.2
  test.each(['GlobalSignOut', 'DeleteUser'])('%s voids every token of the user', async (operation) => {
    const mia = await aConfirmedUser(pool)
    const sessions = [await signIn(pool, mia), await signIn(pool, mia)]
    for (const { IdToken } of sessions) await pool.identity.verifyIdToken(IdToken)

    expect(await pool.call(operation, { AccessToken: sessions[0]?.AccessToken })).toMatchObject({ status: 200 })

    for (const { IdToken, AccessToken, RefreshToken } of sessions) {
      await expect(pool.identity.verifyIdToken(IdToken)).rejects.toThrow(InvalidToken)
      expect((await getUser(AccessToken)).status).toBe(400)
      expect((await pool.call('GetTokensFromRefreshToken', { RefreshToken })).status).toBe(400)
    }
  })

  // Evidence: asvs-7.2.2, asvs-7.2.4, asvs-9.2.4
  test('each sign-in starts a new session and reuses no earlier id or token', async () => {
    const [first, second] = [await signIn(pool, zoe), await signIn(pool, zoe)]

    for (const claim of ['origin_jti', 'jti', 'event_id']) {
      expect(decodeJwt(first.IdToken)[claim]).not.toBe(decodeJwt(second.IdToken)[claim])
    }
    expect(first.RefreshToken).not.toBe(second.RefreshToken)
  })

  // Evidence: asvs-9.2.3
  test('tokens issued under another public URL are rejected, despite the same pool and keys', async () => {
    const elsewhere = await aPool(pool.ports.database, {
      beside: pool,
      settings: { publicUrl: 'https://elsewhere.example' },
    })
    const there = await signIn(elsewhere, zoe)

    expect(await elsewhere.call('GetUser', { AccessToken: there.AccessToken })).toMatchObject({ status: 200 })
    expect(await elsewhere.identity.verifyIdToken(there.IdToken)).toMatchObject({ username: zoe.username })
    expect(await getUser(there.AccessToken)).toEqual(INVALID)
    await expect(pool.identity.verifyIdToken(there.IdToken)).rejects.toThrow(InvalidToken)
    await elsewhere.close()
  })

  test('a refresh token is rejected for another client, and stays valid for its own', async () => {
    const { RefreshToken } = tokens
    const refresh = { AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters: { REFRESH_TOKEN: RefreshToken } }
    const uses = {
      GetTokensFromRefreshToken: { RefreshToken },
      InitiateAuth: refresh,
      RevokeToken: { Token: RefreshToken },
    }
    for (const [operation, body] of Object.entries(uses)) {
      expect(await pool.call(operation, { ...body, ClientId: 'anotherclient0000000000000' })).toMatchObject({
        body: { __type: 'ResourceNotFoundException' },
      })
    }
    expect(await pool.call('GetTokensFromRefreshToken', { RefreshToken })).toMatchObject({ status: 200 })
  })
})
