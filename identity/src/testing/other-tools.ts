import * as client from 'openid-client'

import { PUBLIC_URL, type RunningPool } from './a-pool.ts'
import type { OAuthClient } from '../base/settings.ts'

/** A tool with a secret, such as a web server, and one without, such as a phone app. */
export const WIKI: OAuthClient = {
  id: 'film-wiki',
  name: 'Film wiki',
  secret: 'a-secret-of-thirty-two-characters',
  redirectUris: ['https://wiki.example/callback', 'https://wiki.example/callback?from=marquee'],
  logoutUris: ['https://wiki.example/bye'],
}
export const PHONE_APP: OAuthClient = {
  id: 'phone-app',
  name: 'Phone app',
  redirectUris: ['http://127.0.0.1:4711/back'],
  logoutUris: [],
}
export const TOOLS = [WIKI, PHONE_APP]

/** An unmodified openid-client, whose requests are injected instead of sent over the network. */
export async function openIdClient(
  pool: RunningPool,
  { id, secret }: OAuthClient,
  authentication?: client.ClientAuth,
): Promise<client.Configuration> {
  const issuer = new URL(`${PUBLIC_URL}/identity/${pool.identity.pool.userPoolId}`)
  const way = authentication ?? (secret === undefined ? client.None() : client.ClientSecretPost(secret))
  return await client.discovery(issuer, id, undefined, way, {
    execute: [client.enableNonRepudiationChecks],
    [client.customFetch]: async (url, { method, headers, body }) => {
      const reply = await pool.app.inject({
        method: method as 'GET',
        url: url.replace(PUBLIC_URL, ''),
        headers,
        ...(body instanceof URLSearchParams && { payload: body.toString() }),
      })
      return new Response(reply.body, { status: reply.statusCode, headers: reply.headers as Record<string, string> })
    },
  })
}

export type Journey = { verifier: string; state: string; nonce: string; url: URL; redirectUri: string }

/** Begins an authorization: the URL for the browser, and the values the tool keeps until the callback. */
export async function beginJourney(
  config: client.Configuration,
  redirectUri: string,
  more: Record<string, string> = {},
): Promise<Journey> {
  const verifier = client.randomPKCECodeVerifier()
  const [state, nonce] = [client.randomState(), client.randomNonce()]
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...more,
  })
  return { verifier, state, nonce, url, redirectUri }
}

/** The redirect target of an address of the pool. */
export async function follow(pool: RunningPool, url: URL | string): Promise<URL> {
  const { pathname, search } = new URL(url)
  const { statusCode, headers } = await pool.app.inject(`${pathname}${search}`)
  if (statusCode !== 302) throw new Error(`${pathname} was answered ${statusCode}`)
  return new URL(String(headers.location))
}

export type Answer = { status: number; body: Record<string, unknown> }

/** Calls an endpoint of the consent screen. */
export async function callAsScreen(
  pool: RunningPool,
  path: 'question' | 'answer',
  idToken: string | undefined,
  body: object,
): Promise<Answer> {
  const reply = await pool.app.inject({
    method: 'POST',
    url: `/oauth2/${path}`,
    headers: { ...(idToken !== undefined && { authorization: `Bearer ${idToken}` }) },
    payload: body,
  })
  return { status: reply.statusCode, body: reply.json() }
}

/** The sealed request in the URL of the consent screen. */
export async function requestOf(pool: RunningPool, url: URL): Promise<string> {
  const screen = await follow(pool, url)
  const request = screen.searchParams.get('request')
  if (screen.pathname !== '/auth/authorize' || request === null)
    throw new Error(`The browser was sent to ${screen.href}`)
  return request
}

/** Gives consent; returns the address of the tool that the browser is redirected to. */
export async function allow(pool: RunningPool, idToken: string, url: URL): Promise<URL> {
  const request = await requestOf(pool, url)
  const { status, body } = await callAsScreen(pool, 'answer', idToken, { request, isAllowed: true })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return new URL(String(body['location']))
}

/** Calls /oauth2/token or /oauth2/revoke with a form. */
export async function post(
  pool: RunningPool,
  path: 'token' | 'revoke',
  form: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const reply = await pool.app.inject({
    method: 'POST',
    url: `/oauth2/${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
  })
  return { status: reply.statusCode, body: reply.body === '' ? {} : reply.json() }
}
