import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

/** Headers of one connection, those that `fetch` sets, and those by which a browser keeps an earlier page. */
const HOP_BY_HOP = /^(?:connection|host|content-length|keep-alive|transfer-encoding|accept-encoding|if-.+)$/u

/** A proxy for the real server that can serve another build, or be closed. */
export type Front = {
  url: string
  /** Changes the page that is served from now on, and adds `files` by their path. */
  deploy: (change: (html: string) => string, files?: Readonly<Record<string, string>>) => void
  /** The paths that were requested so far. */
  asked: () => readonly string[]
  /** Stops answering. */
  close: () => Promise<void>
  /** Answers again, at the same address. */
  open: () => Promise<void>
}

export async function startFront(url: string): Promise<Front> {
  let changePage = (html: string) => html
  let added: Readonly<Record<string, string>> = {}

  const asked: string[] = []

  const server = createServer((request, response) => {
    const { url: path = '/' } = request
    asked.push(path)
    void (async () => {
      const file = added[path]
      if (file !== undefined) {
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(file)
        return
      }
      const answer = await fetch(`${url}${path}`, await copyOf(request))
      const headers = Object.fromEntries(
        [...answer.headers].filter(
          ([name]) => !/^(?:content-(?:encoding|length)|transfer-encoding|connection|etag)$/u.test(name),
        ),
      )
      response.writeHead(answer.status, headers)
      if (answer.headers.get('content-type')?.startsWith('text/event-stream') === true && answer.body !== null) {
        await pipeline(answer.body, response)
        return
      }
      const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true
      response.end(isPage ? changePage(await answer.text()) : Buffer.from(await answer.arrayBuffer()))
    })().catch((error: unknown) => response.destroy(error as Error))
  })

  /** The same request, for the real server. */
  const copyOf = async (request: IncomingMessage): Promise<RequestInit> => {
    const { method = 'GET', headers } = request
    const passed = Object.entries(headers).filter(
      (header): header is [string, string] => typeof header[1] === 'string' && !HOP_BY_HOP.test(header[0]),
    )
    const isRead = method === 'GET' || method === 'HEAD'
    return { method, headers: passed, ...(isRead ? {} : { body: await buffer(request) }) }
  }

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
    asked: () => asked,
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
