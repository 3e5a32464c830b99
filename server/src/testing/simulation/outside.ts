import { createECDH, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { MailMessage, MailTransport } from '@marquee/platform/mail/message'

import type { MediaServerOptions } from '../../rooms/movies/media-servers/service.ts'
import { simulatedHome, type SentMark } from './home-server.ts'

/** What left the installation, each once for every time that it was sent. */
export type Sent = {
  /** The ids of webhook messages. */
  readonly webhooks: readonly string[]
  /** The paths of push messages. */
  readonly pushes: readonly string[]
  readonly mails: readonly (MailMessage & { readonly id: string })[]
  /** What media servers have heard. */
  readonly marks: readonly SentMark[]
}

/** A receiver of webhooks, a push service, a mail server and media servers. */
export type Outside = {
  readonly sent: Sent
  readonly hookUrl: string
  /** The subscription of a browser. */
  readonly subscription: { endpoint: string; p256dh: string; auth: string }
  readonly mailServer: MailTransport
  readonly openMediaServer: MediaServerOptions['open']
  /** Finds both by their names, which no name server knows. */
  readonly fetchOptions: {
    lookup: () => Promise<string[]>
    allowAddress: () => boolean
    allowPort: () => boolean
    allowsHttp: boolean
  }
  readonly close: () => Promise<void>
}

/** `isOut` says whether a service refuses what it gets now. */
export async function startOutside(isOut: () => boolean): Promise<Outside> {
  const webhooks: string[] = []
  const pushes: string[] = []
  const mails: (MailMessage & { id: string })[] = []
  const home = simulatedHome(isOut)
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      const hook = request.headers['webhook-id']
      if (typeof hook === 'string') webhooks.push(hook)
      else pushes.push(request.url ?? '')
      response.writeHead(isOut() ? 500 : 201).end()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const origin = `http://outside.example:${(server.address() as AddressInfo).port}`
  const browser = createECDH('prime256v1')
  browser.generateKeys()
  const keys = { p256dh: browser.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
  return {
    sent: { webhooks, pushes, mails, marks: home.told },
    openMediaServer: home.open,
    hookUrl: `${origin}/hook`,
    subscription: { endpoint: `${origin}/push`, ...keys },
    mailServer: {
      deliver: async (id, message) => {
        mails.push({ ...message, id })
        if (isOut()) throw new Error('The mail server is out of order')
      },
    },
    fetchOptions: {
      lookup: async () => ['127.0.0.1'],
      allowAddress: () => true,
      allowPort: () => true,
      allowsHttp: true,
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
