/** What another tool asks of a signed-in user. */
export type AuthorizationQuestion = {
  clientName: string
  scopes: readonly string[]
  /** How many days the tool keeps its access. A process of the version before does not say it. */
  sessionDays?: number
  /** The tool wants a more recent sign-in. */
  signInAgain: boolean
}

/** The request is answered already or too old. */
export class AuthorizationOver extends Error {
  override readonly name = 'AuthorizationOver'
}

/** Reads the sealed request of a tool. @throws {AuthorizationOver} */
export async function readAuthorization(idToken: string, request: string): Promise<AuthorizationQuestion> {
  return (await post('/oauth2/question', idToken, { request })) as AuthorizationQuestion
}

/** Answers the request. Works once. @returns the address of the tool. */
export async function answerAuthorization(
  idToken: string,
  answer: { request: string; isAllowed: boolean },
): Promise<string> {
  const { location } = (await post('/oauth2/answer', idToken, answer)) as { location: string }
  return location
}

async function post(path: string, idToken: string, body: object): Promise<unknown> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${idToken}` },
    body: JSON.stringify(body),
  })
  if (response.ok) return response.json()
  const { error } = (await response.json().catch(() => ({}))) as { error?: unknown }
  if (error === 'expired_request') throw new AuthorizationOver('The request is over')
  throw new Error(`${path} answered ${response.status}`)
}
