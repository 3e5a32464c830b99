/** What another tool asks of a signed-in person. `signInAgain`: it wants a fresher sign-in than this one. */
export type AuthorizationQuestion = { clientName: string; scopes: readonly string[]; signInAgain: boolean }

/** The request was answered already or is too old: asking again will not help. */
export class AuthorizationOver extends Error {
  override readonly name = 'AuthorizationOver'
}

/** What the sealed request of a tool asks. @throws {AuthorizationOver} or whatever keeps the server from answering. */
export async function readAuthorization(idToken: string, request: string): Promise<AuthorizationQuestion> {
  return (await post('/oauth2/question', idToken, { request })) as AuthorizationQuestion
}

/** Answers it, once. @returns the address of the tool to go on to. */
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
