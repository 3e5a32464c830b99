import fc, { type Arbitrary } from 'fast-check'

import { Known } from './known.ts'
import { callerOf, type FuzzRequest, headerText, isCut, rawBody } from './parts.ts'
import { anyJson, anyText, bodyOf, mostly } from './values.ts'

const TOOL = {
  id: 'film-wiki',
  name: 'Film wiki',
  secret: 'a-secret-of-thirty-two-characters',
  redirectUris: ['https://wiki.example/callback'],
  logoutUris: ['https://wiki.example/bye'],
}
const NATIVE_APP = {
  id: 'native-app',
  name: 'Native app',
  redirectUris: ['http://127.0.0.1:4711/back'],
  logoutUris: [],
}
/** The OAuth clients of the tested server. */
export const TOOLS = [TOOL, NATIVE_APP]
const REDIRECT_URIS = [
  ...TOOL.redirectUris,
  ...NATIVE_APP.redirectUris,
  'http://127.0.0.1:50123/back',
  'http://127.0.0.1:99999/back',
]
/** RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

const known = (name: string) => fc.nat({ max: 100 }).map((nth): unknown => new Known(name, nth))

const authorization = fc.record(
  {
    client_id: mostly(fc.constantFrom(TOOL.id, NATIVE_APP.id)),
    redirect_uri: mostly(fc.constantFrom(...REDIRECT_URIS)),
    response_type: mostly(fc.constantFrom('code', 'token')),
    scope: mostly(fc.constantFrom('openid', 'openid email profile', 'nonsense')),
    state: mostly(anyText),
    nonce: mostly(anyText),
    code_challenge: mostly(fc.constant(CHALLENGE)),
    code_challenge_method: mostly(fc.constantFrom('S256', 'plain')),
    max_age: mostly(fc.constantFrom('0', '60', '-1')),
    prompt: mostly(fc.constantFrom('login', 'none')),
  },
  { requiredKeys: ['client_id', 'redirect_uri', 'response_type', 'code_challenge', 'code_challenge_method'] },
)
const client = { client_id: mostly(fc.constant(TOOL.id)), client_secret: mostly(fc.constant(TOOL.secret)) }
const exchange = fc.record({
  ...client,
  grant_type: mostly(fc.constantFrom('authorization_code', 'refresh_token', 'password')),
  code: mostly(known('code of a tool')),
  redirect_uri: mostly(fc.constantFrom(...TOOL.redirectUris)),
  code_verifier: mostly(fc.constant(VERIFIER)),
  refresh_token: mostly(known('refresh_token')),
})
const revocation = fc.record({ ...client, token: mostly(known('refresh_token')) })

type Page = {
  method: string
  path: string
  query?: Arbitrary<Readonly<Record<string, unknown>>>
  body?: Arbitrary<FuzzRequest['body']>
}

const form = (fields: Arbitrary<Record<string, unknown>>) => fc.record({ form: fields })
const json = (fields: Readonly<Record<string, Arbitrary<unknown>>>) => fc.record({ json: bodyOf(fields) })
const request = mostly(known('request'))

const PAGES: readonly Page[] = [
  { method: 'GET', path: '/oauth2/authorize', query: authorization },
  { method: 'POST', path: '/oauth2/authorize', body: form(authorization) },
  { method: 'POST', path: '/oauth2/question', body: json({ request }) },
  { method: 'POST', path: '/oauth2/answer', body: json({ request, isAllowed: mostly(fc.boolean()) }) },
  { method: 'POST', path: '/oauth2/token', body: form(exchange) },
  { method: 'POST', path: '/oauth2/revoke', body: form(revocation) },
  { method: 'GET', path: '/oauth2/userInfo' },
  { method: 'POST', path: '/oauth2/userInfo', body: form(revocation) },
  {
    method: 'GET',
    path: '/logout',
    query: fc.record({ ...client, logout_uri: mostly(fc.constantFrom(...TOOL.logoutUris)), state: anyText }),
  },
  { method: 'GET', path: '/oauth2/logged-out', query: fc.record({ next: mostly(known('next')) }) },
  { method: 'GET', path: '/oauth2/external/start', query: fc.record({ redirect: anyText, again: anyText }) },
  { method: 'GET', path: '/oauth2/external/callback', query: fc.record({ code: anyText, state: anyText }) },
  { method: 'POST', path: '/oauth2/external/claim', body: json({}) },
  { method: 'POST', path: '/oauth2/external/sign-up', body: json({ name: mostly(anyText) }) },
  { method: 'POST', path: '/oauth2/external/link', body: fc.constant(undefined) },
  { method: 'GET', path: '/oauth2/external/link' },
  { method: 'DELETE', path: '/oauth2/external/link', body: fc.record({ json: anyJson }) },
  { method: 'GET', path: '/oauth2/external/logout' },
  { method: 'GET', path: '/identity/{UserPoolId}/.well-known/jwks.json' },
  { method: 'GET', path: '/identity/{UserPoolId}/.well-known/openid-configuration' },
  { method: 'GET', path: '/images/{text}' },
  { method: 'GET', path: '/config.json' },
  { method: 'GET', path: '/{text}' },
]

/** Requests to the hosted pages, and to everything else that a browser opens. */
export function hostedRequests(users: number): Arbitrary<FuzzRequest> {
  return fc.oneof(...PAGES.map((page) => requestTo(page, users)))
}

function requestTo({ method, path, query, body }: Page, users: number): Arbitrary<FuzzRequest> {
  const cookie = fc.oneof(headerText, known('cookie'))
  return fc.record({
    name: fc.constant(`${method} ${path}`),
    method: fc.constant(method),
    path: fc.constant(path),
    params: fc.record({ UserPoolId: known('UserPoolId'), text: anyText }),
    query: (query ?? fc.constant({})).map((fields) => Object.entries(fields)),
    headers: fc.record(
      { cookie, accept: fc.constantFrom('text/html', 'application/json'), 'sec-fetch-site': headerText },
      { requiredKeys: [] },
    ),
    caller: callerOf(users),
    body: body ? fc.oneof({ weight: 20, arbitrary: body }, { weight: 1, arbitrary: rawBody }) : fc.constant(undefined),
    isCut,
  })
}
