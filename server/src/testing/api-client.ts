import type { ServerProcess } from './server-process.ts'

/** Calls the API of a real server; rejects if the connection breaks. */
export function clientOf(server: Pick<ServerProcess, 'url'>, token: string) {
  return async <T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }> => {
    const response = await fetch(`${server.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as T }
  }
}
