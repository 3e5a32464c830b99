/** A received mail: its recipients, its headers by lower-case name, and its plain text. */
export type ReceivedMail = { recipients: string[]; headers: ReadonlyMap<string, string>; text: string }

/** Reads the source of a mail whose first part is plain text. */
export function readMail(source: string, recipients: string[]): ReceivedMail {
  const whole = readEntity(source)
  const [, boundary] = /boundary="([^"]+)"/u.exec(whole.headers.get('content-type') ?? '') ?? []
  if (boundary === undefined) return { recipients, headers: whole.headers, text: decode(whole) }
  const [, first = ''] = whole.body.split(`--${boundary}\r\n`)
  return { recipients, headers: whole.headers, text: decode(readEntity(first)) }
}

type Entity = { headers: ReadonlyMap<string, string>; body: string }

function readEntity(source: string): Entity {
  const end = source.indexOf('\r\n\r\n')
  const fields = source
    .slice(0, end)
    .replaceAll(/\r\n(?=[ \t])/gu, '')
    .split('\r\n')
  const headers = new Map(
    fields.map((field): [string, string] => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
    }),
  )
  return { headers, body: source.slice(end + 4) }
}

function decode({ headers, body }: Entity): string {
  const text = decodeTransfer(headers.get('content-transfer-encoding')?.toLowerCase(), body)
  return text.replaceAll('\r\n', '\n')
}

function decodeTransfer(encoding: string | undefined, body: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/gu, (_match, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
