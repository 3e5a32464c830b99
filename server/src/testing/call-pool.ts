/** Calls an operation of the built-in user pool of this process, like any client. Returns the status and the body. */
export async function callPool(
  at: { readonly url: string },
  operation: string,
  body: object,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const config = (await (await fetch(`${at.url}/config.json`)).json()) as { auth: { userPoolClientId: string } }
  const answer = await fetch(`${at.url}/identity/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
    },
    body: JSON.stringify({ ClientId: config.auth.userPoolClientId, ...body }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
