import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy for the real server that can serve another build, or be closed. */
export type Front = {
  url: string
  /** Changes the page that is served from now on, and adds `files` by their path. */
  deploy: (change: (html: string) => string, files?: Readonly<Record<string, string>>) => void
  /** Stops answering. */
  close: () => Promise<void>
  /** Answers again, at the same address. */
  open: () => Promise<void>
}

export async function startFront(url: string): Promise<Front> {
  let changePage = (html: string) => html
  let added: Readonly<Record<string, string>> = {}

  const server = createServer(({ url: path = '/', headers: { accept = '*/*' } }, response) => {
    void (async () => {
      const file = added[path]
      if (file !== undefined) {
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(file)
        return
      }
      const answer = await fetch(`${url}${path}`, { headers: { accept } })
      const headers = Object.fromEntries(
        [...answer.headers].filter(
          ([name]) => !/^(?:content-(?:encoding|length)|transfer-encoding|connection|etag)$/u.test(name),
        ),
      )
      response.writeHead(answer.status, headers)
      const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true
      response.end(isPage ? changePage(await answer.text()) : Buffer.from(await answer.arrayBuffer()))
    })().catch((error: unknown) => response.destroy(error as Error))
  })

  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  return {
    url: `http://localhost:${port}`,
    deploy: (change, files = {}) => {
      changePage = change
      added = files
    },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    open: async () => {
      await listen(port)
    },
  }
}
