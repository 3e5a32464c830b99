import { expect, test } from 'vitest'

import { composeMail } from './compose.ts'

const LINK = `https://marquee.example.org/watchlists/invitation/accept?token=${'t0k_n-'.repeat(8)}`

async function headersAndBody(message: { to?: string; subject?: string; text?: string }) {
  const mail = { to: 'ben@example.org', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>', ...message }
  const source = (await composeMail('id-1', 'Marquee <marquee@example.org>', mail)).toString()
  const end = source.indexOf('\n\n')
  return {
    headers: source
      .slice(0, end)
      .replaceAll(/\n[ \t]+/gu, ' ')
      .split('\n'),
    body: source.slice(end),
  }
}

test.each(['Films', 'Películas “de culto”', '映画と音楽'])(
  'a long link has an unbroken line of its own in a mail with a name like %s',
  async (name) => {
    const { body } = await headersAndBody({ text: `${name}\n\n${LINK}\n\nGoodbye\n` })

    expect(body.split('\n')).toContain(LINK)
    expect(body).toContain(name)
  },
)

// Evidence: asvs-1.2.1, asvs-1.3.11
test.each(['\r\n', '\n', '\r', '\u0085', '\u2028'])('a subject with %j cannot add a header', async (lineBreak) => {
  const { headers } = await headersAndBody({
    subject: `Hi${lineBreak}Bcc: eve@example.org${lineBreak}${lineBreak}Body`,
  })

  expect(headers.map((header) => header.split(':')[0])).toEqual([
    'From',
    'To',
    'Subject',
    'Message-ID',
    'Date',
    'MIME-Version',
    'Content-Type',
  ])
})

test('an address that contains a comma stays one address', async () => {
  const { headers } = await headersAndBody({ to: 'ben,eve@example.org' })

  expect(headers.filter((header) => header.startsWith('To:'))).toEqual(['To: <"ben,eve"@example.org>'])
})

test('the headers of a mail offer to unsubscribe with one click', async () => {
  const unsubscribeUrl = `https://marquee.example.org/api/unsubscribe/${'t0k_n-'.repeat(20)}`
  const mail = { to: 'ben@example.org', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>', unsubscribeUrl }

  const source = (await composeMail('id-1', 'marquee@example.org', mail)).toString().replaceAll(/\n[ \t]+/gu, ' ')

  expect(source.split('\n')).toEqual(
    expect.arrayContaining([
      `List-Unsubscribe: <${unsubscribeUrl}>`,
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    ]),
  )
})

test('a calendar entry names its method in the content type', async () => {
  const content = 'BEGIN:VCALENDAR\r\nMETHOD:CANCEL\r\nEND:VCALENDAR\r\n'
  const mail = { to: 'ben@example.org', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }

  const source = await composeMail('id-1', 'marquee@example.org', { ...mail, calendar: { method: 'CANCEL', content } })

  expect(source.toString()).toContain('Content-Type: text/calendar; charset=utf-8; method=CANCEL')
  expect(source.toString()).toContain('filename=calendar.ics')
})
