import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Database } from '@marquee/platform/database/database'
import { systemRandom } from '@marquee/platform/runtime/random'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from './migrations/index.ts'
import { call, callOk } from './testing/call.ts'
import { aUser, aWatchlist } from './testing/make.ts'
import { startApp, type TestApp } from './testing/start-app.ts'

anyDatabase({ product: productMigrations }, (theDatabase) => {
  let webRoot: string
  let started: TestApp & { stop: () => Promise<void> }

  beforeAll(async () => {
    webRoot = await mkdtemp(join(tmpdir(), 'marquee-web-'))
    await mkdir(join(webRoot, 'assets'))
    await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>Marquee</title>')
    await writeFile(join(webRoot, 'favicon.svg'), '<svg/>')
    await writeFile(join(webRoot, 'preloads.json'), '{"/auth/":["assets/a-1.js","assets/b-2.css"]}')
    await writeFile(join(webRoot, 'assets', 'app-a1b2c3.js'), 'export {}')
    await writeFile(join(webRoot, 'assets', 'app-a1b2c3.js.br'), brotliCompressSync('export {}'))
    started = await startApp(theDatabase(), { webRoot })
  })
  afterAll(async () => {
    await started.stop()
    await rm(webRoot, { recursive: true, force: true })
  })

  const get = async (url: string, accept = 'text/html,*/*;q=0.8') =>
    await started.app.inject({ url, headers: { accept } })

  describe('the web app', () => {
    test.each(['/', '/index.html', '/auth/login', '/watchlists/some-id', '/no/such/page?x=1'])(
      'the web app answers a navigation to %s',
      async (url) => {
        const { statusCode, headers, body } = await get(url)

        expect(statusCode).toBe(200)
        expect(headers['content-type']).toContain('text/html')
        expect(headers['cache-control']).toBe('no-cache')
        expect(body).toContain('<title>Marquee</title>')
      },
    )

    // Evidence: asvs-4.1.1
    test.each(['/', '/auth/login?redirect=%2F', '/watchlists', '/watchlists/some-id/library', '/no/such/page'])(
      'the web app answers GET and HEAD of %s for a client that accepts any type or names none',
      async (url) => {
        const { app } = started
        const replies = [
          await get(url, '*/*'),
          await app.inject({ url }),
          await app.inject({ method: 'HEAD', url, headers: { accept: '*/*' } }),
        ]

        expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
        expect(replies.map(({ headers }) => headers['content-type'])).toEqual(
          Array.from({ length: 3 }, () => 'text/html; charset=utf-8'),
        )
        expect(replies.map(({ body }) => body.includes('<title>Marquee</title>'))).toEqual([true, true, false])
      },
    )

    // Evidence: asvs-1.1.1, asvs-5.3.2
    test.each([
      ['/api', 'text/html'],
      ['/api/nothing', 'text/html'],
      ['/identity/nothing', 'text/html'],
      ['/images/nothing', 'text/html'],
      ['/assets/app-old.js', 'text/html'],
      ['/assets/app-a1b2c3.js.br', '*/*'],
      ['/assets/..%2findex.html', '*/*'],
      ['/watchlists/some-id', 'application/json'],
      ['/missing.png', 'image/*'],
      ['/missing.js', '*/*'],
      ['/.well-known/nothing', '*/*'],
      ['/api/nothing', '*/*'],
      ['/oauth2/nothing?x=1', '*/*'],
      ['/api/%5C..%5Cx', '*/*'],
      ['/..%2f..%2fetc/passwd', '*/*'],
      ['/%00', '*/*'],
    ])('the web app does not answer %s for a client that accepts %s', async (url, accept) => {
      const { statusCode, body } = await get(url, accept)

      expect(statusCode).toBe(404)
      expect(JSON.parse(body)).toEqual({ type: 'NOT_FOUND', message: 'Resource not found' })
    })

    test('the web app preloads the scripts and styles of the opened screen', async () => {
      expect((await get('/auth/login?redirect=%2F')).headers['link']).toBe(
        '</assets/a-1.js>; rel=modulepreload, </assets/b-2.css>; rel=preload; as=style; crossorigin',
      )
      expect((await get('/watchlists')).headers['link']).toBeUndefined()
    })

    test('the web app does not answer a POST', async () => {
      const { statusCode } = await started.app.inject({
        method: 'POST',
        url: '/auth/login',
        headers: { accept: 'text/html' },
      })

      expect(statusCode).toBe(404)
    })

    test('a file of the web app is cached for a year if its name has a hash, and revalidated if not', async () => {
      const asset = await get('/assets/app-a1b2c3.js', '*/*')
      const icon = await get('/favicon.svg', '*/*')

      expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(icon.headers['cache-control']).toBe('no-cache')
    })

    // Evidence: asvs-4.1.1
    test('a file of the web app is compressed for a browser that accepts brotli, and HEAD gets no body', async () => {
      const url = '/assets/app-a1b2c3.js'
      const compressed = await started.app.inject({ url, headers: { 'accept-encoding': 'br' } })
      const plain = await get(url, '*/*')
      const head = await started.app.inject({ method: 'HEAD', url })

      expect(compressed.headers['content-encoding']).toBe('br')
      expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe('export {}')
      expect(plain.body).toBe('export {}')
      expect(plain.headers['content-type']).toBe('application/javascript; charset=utf-8')
      expect(head.statusCode).toBe(200)
      expect(head.body).toBe('')
    })

    // Evidence: asvs-1.3.2, asvs-3.4.3
    test('the web app lets a browser run only its own scripts', async () => {
      const { headers } = await get('/')

      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("connect-src 'self' http://marquee.test")
      expect(policy).not.toContain('unsafe')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['strict-transport-security']).toBeUndefined()
    })
  })

  describe('the page of a join link', () => {
    test('a chat preview of a join link shows no more than the page', async () => {
      const { watchlist, owner } = await aWatchlist(started, { owner: aUser('<Ana>') })
      const { token } = await callOk(started, ENDPOINTS.createJoinLink, owner, {
        params: { watchlistId: watchlist.id },
        body: { days: 7, maxUses: 1 },
      })

      const { statusCode, headers, body } = await get(`/join/${token}`, '*/*')

      expect(statusCode).toBe(200)
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        'referrer-policy': 'no-referrer',
      })
      expect(body.match(/<title>.*<\/title>|<meta .*\/>/gu)).toEqual([
        '<title>&lt;Ana&gt; invites you to “Friday films” · Marquee</title>',
        '<meta property="og:site_name" content="Marquee" />',
        '<meta property="og:type" content="website" />',
        '<meta property="og:title" content="&lt;Ana&gt; invites you to “Friday films”" />',
        '<meta property="og:description" content="A shared movie watchlist with 1 member" />',
        '<meta property="og:image" content="http://marquee.test/icons/icon-512.png" />',
      ])
    })

    test('a chat preview of a join link is in the language that the client accepts', async () => {
      const { watchlist, owner } = await aWatchlist(started, { owner: aUser('Ana') })
      const { token } = await callOk(started, ENDPOINTS.createJoinLink, owner, {
        params: { watchlistId: watchlist.id },
        body: { days: 7, maxUses: 1 },
      })

      const headers = { accept: '*/*', 'accept-language': 'de-AT, en;q=0.5' }
      const { body } = await started.app.inject({ url: `/join/${token}`, headers })

      expect(body).toContain('<title>Ana lädt dich zu „Friday films“ ein · Marquee</title>')
      expect(body).toContain('content="Eine gemeinsame Watchlist für Filme mit 1 Mitglied"')
    })

    test('the page of a join link is the plain page if the link is not open', async () => {
      const { statusCode, body } = await get('/join/no-such-link')

      expect({ statusCode, body }).toEqual({ statusCode: 200, body: '<!doctype html><title>Marquee</title>' })
    })
  })

  test('the web app gets the settings of the user pool that it signs in to', async () => {
    const { body } = await get('/config.json', 'application/json')

    expect(JSON.parse(body)).toEqual({
      auth: {
        userPoolId: 'us-east-1_TestPool1',
        userPoolClientId: 'test-client',
        userPoolEndpoint: 'http://marquee.test/identity/',
        signUpVerificationMethod: 'code',
        passwordFormat: { minLength: 8, requireUppercase: true, requireNumbers: true },
      },
      features: {
        passkeys: true,
        devices: false,
        secondFactors: true,
        customChallenges: false,
        verification: 'code',
        registration: 'open',
        externalProvider: null,
        hostedPages: false,
        accountService: true,
        guests: false,
        catalogue: null,
        needsSetup: false,
      },
    })
  })

  test('the identity service answers under /identity', async () => {
    expect((await get('/identity/here')).json()).toEqual({ identity: true })
  })

  describe('the product API', () => {
    test.each([
      ['DELETE', '/api/watchlists', 'GET, HEAD, POST'],
      ['PATCH', '/api/watchlists/some-id', 'GET, HEAD, PUT, DELETE'],
      ['PUT', '/api/watchlists/current', 'GET, HEAD, POST'],
      ['GET', '/api/watchlists/some-id/cards/reveal', 'POST'],
      ['OPTIONS', '/api/watchlists/some-id/cards/some-id/status', 'PUT'],
    ] as const)('the product API answers %s %s with 405 and the allowed methods', async (method, url, allow) => {
      const { statusCode, headers, body } = await started.app.inject({ method, url })

      expect(statusCode).toBe(405)
      expect(headers['allow']).toBe(allow)
      expect(JSON.parse(body)).toEqual({ type: 'METHOD_NOT_ALLOWED', message: 'Method not allowed' })
    })

    test('the product API has a handler for every call of the contract', () => {
      const missing = Object.values(ENDPOINTS).filter(
        ({ method, path }) => !started.app.hasRoute({ method, url: `/api${path}` }),
      )

      expect(missing).toEqual([])
    })

    // Evidence: asvs-14.2.2, asvs-14.3.2
    test('replies of the product API are not cached by proxies', async () => {
      const { headers } = await call(started, ENDPOINTS.listWatchlists, aUser())

      expect(headers['cache-control']).toBe('no-store')
    })

    // Evidence: asvs-1.1.1
    test('the product API answers 400 for a path with a malformed encoding', async () => {
      const { statusCode, body } = await get('/api/watchlists/%E0%A4%A')

      expect(statusCode).toBe(400)
      expect(JSON.parse(body)).toMatchObject({ type: 'BAD_REQUEST' })
    })

    // Evidence: asvs-16.3.4, asvs-16.5.1
    test('the product API answers an unknown failure with only its request id, and logs the failure in full', async () => {
      let isBroken = false
      const random = {
        ...systemRandom,
        uuid: (): string => {
          if (isBroken) throw new Error('secret inner trouble')
          return systemRandom.uuid()
        },
      }
      const broken = await startApp(theDatabase(), { random })
      isBroken = true

      const { status, headers, body } = await call(broken, ENDPOINTS.createWatchlist, aUser(), { body: { name: 'x' } })
      await broken.stop()

      expect(status).toBe(500)
      expect(body).toEqual({ type: 'SERVER_ERROR', message: 'Server error: 500' })
      expect(broken.logged()).toContain('secret inner trouble')
      expect(broken.logged()).toContain(String(headers['x-request-id']))
    })
  })

  test('the server is ready while its database answers', async () => {
    expect((await get('/readyz')).statusCode).toBe(200)
    expect((await get('/healthz')).statusCode).toBe(200)
  })

  test('the server is alive but not ready while its database does not answer', async () => {
    const read = theDatabase().read.withPlugin({
      transformQuery: () => {
        throw new Error('no database')
      },
      transformResult: async ({ result }) => await Promise.resolve(result),
    })
    const database: Database<unknown> = { ...theDatabase(), read }
    const cutOff = await startApp(database)

    const [ready, healthy] = [await cutOff.app.inject('/readyz'), await cutOff.app.inject('/healthz')]
    await cutOff.stop()

    expect(ready.statusCode).toBe(503)
    expect(ready.json()).toMatchObject({ type: 'SERVICE_UNAVAILABLE' })
    expect(healthy.statusCode).toBe(200)
  })
})
