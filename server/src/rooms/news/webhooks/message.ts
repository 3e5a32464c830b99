import { createHmac } from 'node:crypto'

import type { WebhookDelivery, WebhookFormat } from '@marquee/contract/entities/webhook'

/** What one message reports. `sentence` is for people, `data` for programs. */
export type MessageContent = {
  readonly kind: WebhookDelivery['kind']
  readonly at: string
  readonly sentence: string
  /** The page of the app that shows it. */
  readonly url: string
  readonly data: Readonly<Record<string, unknown>>
}

export type Post = { readonly body: string; readonly headers: Readonly<Record<string, string>> }

export const SECRET_PREFIX = 'whsec_'

/** The request of one message. Its id stays the same when it is sent again. */
export function postOf(
  content: MessageContent,
  { format, secret, id, now }: { format: WebhookFormat; secret: string | null; id: string; now: Date },
): Post {
  const body = JSON.stringify(bodyOf(content, format))
  const headers = { 'content-type': 'application/json' }
  if (secret === null) return { body, headers }
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    body,
    headers: {
      ...headers,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
  }
}

function bodyOf({ kind, at, sentence, url, data }: MessageContent, format: WebhookFormat): object {
  switch (format) {
    case 'standard':
      return { type: kind, timestamp: at, data: { ...data, url } }
    case 'discord':
      // A title must not notify a whole server.
      return { content: `${withoutMarkdown(sentence)}\n<${url}>`, allowed_mentions: { parse: [] } }
    case 'slack':
      return { text: `${forSlack(withoutMentions(sentence))}\n<${url}>` }
    case 'matrix':
      return { text: `${withoutMarkdown(withoutMentions(sentence))}\n\n${url}` }
  }
}

/**
 * `@room` notifies a whole Matrix room, and `@channel` a whole channel of the services that accept the form of Slack. Some
 * of them ignore an underscore in front.
 */
function withoutMentions(text: string): string {
  return text.replaceAll(/(?<![a-z\d])@(?=\w)/giu, '@\u200B')
}

function withoutMarkdown(text: string): string {
  return text.replaceAll(/[\\*_~`|<>#[\]()]/gu, String.raw`\$&`)
}

function forSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
