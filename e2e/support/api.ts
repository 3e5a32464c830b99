import type { BodyInput, Endpoint, Params, Reply } from '@marquee/contract/endpoints'
import type { BrowserContext, Page, Request } from '@playwright/test'

/** The address of an endpoint as a pattern for Playwright. A parameter that is left out matches every value. */
export function addressOf({ path, query }: Endpoint, params?: Readonly<Record<string, string>>): string {
  return `**/api${fill(path, params)}${query === undefined ? '' : '?*'}`
}

/** Whether a request of the browser calls this endpoint. */
export function isCallOf(request: Request, { method, path }: Endpoint): boolean {
  const pattern = new RegExp(`^/api${path.replaceAll(/:\w+/gu, '[^/]+')}$`, 'u')
  return request.method() === method && pattern.test(new URL(request.url()).pathname)
}

/**
 * The next answer to a call of this endpoint. A change that shows at once is saved only then, and a reload before it would
 * give it up.
 */
export async function answerTo(page: Page, endpoint: Endpoint): Promise<void> {
  await page.waitForResponse((response) => isCallOf(response.request(), endpoint))
}

/** Answers requests to these addresses with a status, until the page is unrouted. */
export async function failRequests(page: Page, address: string, status = 500): Promise<void> {
  await page.route(address, async (route) => await route.fulfill({ status }))
}

/** Delays requests to these addresses until they are released, so that a test can check the pending state. */
export async function holdRequests(
  page: Page | BrowserContext,
  address: string | RegExp,
): Promise<{ release: () => void }> {
  const { promise: released, resolve } = Promise.withResolvers<undefined>()
  await page.route(address, async (route) => {
    await released
    await route.continue()
  })
  return { release: () => resolve(undefined) }
}

/** The parts of a call that its endpoint has. */
export type Input<E extends Endpoint> = { params?: Params<E> & Record<string, string>; body?: BodyInput<E> }

/** Calls the product API as the user of an id token. */
export async function callApi<E extends Endpoint>(
  origin: string,
  idToken: string,
  endpoint: E,
  { params, body }: Input<E>,
): Promise<Reply<E>> {
  const response = await fetch(`${origin}/api${fill(endpoint.path, params)}`, {
    method: endpoint.method,
    headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await jsonOf(response)) as Reply<E>
}

function fill(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(/:(\w+)/gu, (_, name: string) => {
    const value = params[name]
    return value === undefined ? '*' : encodeURIComponent(value)
  })
}

/** Calls an operation of the user pool with the client id of the web app. */
export async function callIdentity<Output>(
  origin: string,
  operation: string,
  input: Readonly<Record<string, unknown>>,
  userAgent = 'a journey',
): Promise<Output> {
  const { userPoolClientId } = await readAuthConfig(origin)
  const response = await fetch(`${origin}/identity/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'user-agent': userAgent,
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
    },
    body: JSON.stringify({ ...input, ClientId: userPoolClientId }),
  })
  return (await jsonOf(response)) as Output
}

type AuthConfig = { userPoolId: string; userPoolClientId: string; userPoolEndpoint: string }

/** The settings of the user pool, as the browser gets them. */
export async function readAuthConfig(origin: string): Promise<AuthConfig> {
  const config = (await jsonOf(await fetch(`${origin}/config.json`))) as { auth: AuthConfig }
  return config.auth
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.url} was answered ${response.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
