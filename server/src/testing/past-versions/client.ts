import type { ServerProcess } from '../server-process.ts'

export type Reply = { status: number; body: unknown }

/** Addresses of the server itself are the same wherever it listens. */
const OWN = 'http://marquee.test'

/** Asks a server of any version. The reply has no traces of the port at which it listened. */
export async function ask(
  { url }: Pick<ServerProcess, 'url'>,
  token: string | undefined,
  { method = 'GET', path, body }: { method?: string; path: string; body?: unknown },
): Promise<Reply> {
  const reply = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = (await reply.text()).replaceAll(url, OWN)
  return { status: reply.status, body: reply.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text }
}

/** Makes a call of a past version that must succeed, as one user. */
export type Do = <T = { id: string }>(method: string, path: string, body?: unknown) => Promise<T>

export function doerOf(server: Pick<ServerProcess, 'url'>, token?: string): Do {
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const reply = await ask(server, token, { method, path, body })
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body as T
  }
}
