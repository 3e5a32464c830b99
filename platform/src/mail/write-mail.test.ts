import { expect, test } from 'vitest'

import { type MailContent, writeMail } from './write-mail.ts'

const LINK = 'https://films.example.org/night?a=1&b=2'
const content: MailContent = {
  to: 'ben@example.org',
  subject: 'Movie night',
  texts: { language: 'en', direction: 'ltr' },
  from: 'Marquee',
  parts: [
    { paragraph: 'Ana & Eve plan a movie night.' },
    { lines: ['Friday', 'Place: At Ana’s'] },
    { quote: ['Popcorn\r\nhttps://evil.example/', '<b>salted</b>'] },
    { code: '012345' },
    { link: LINK, label: 'Answer' },
    { smallPrint: 'Turn this off', link: 'https://films.example.org/off?a=1&b=2' },
  ],
}

test('the text part puts links and codes on their own lines and quotes what members wrote', () => {
  expect(writeMail(content).text).toBe(
    [
      'Ana & Eve plan a movie night.',
      'Friday\nPlace: At Ana’s',
      '> Popcorn https://evil.example/\n> <b>salted</b>',
      '012345',
      LINK,
      'Turn this off\nhttps://films.example.org/off?a=1&b=2',
      'Marquee\n',
    ].join('\n\n'),
  )
})

// Evidence: asvs-1.1.2, asvs-1.2.1
test('the HTML part has the same content, escaped', () => {
  const { html } = writeMail(content)

  expect(html).toContain('Ana &amp; Eve plan a movie night.')
  expect(html).toContain('<div dir="auto">&lt;b&gt;salted&lt;/b&gt;</div>')
  expect(html).toContain('href="https://films.example.org/night?a=1&amp;b=2"')
  expect(html).toMatch(/<p\s+dir="ltr"[^>]*>\s*012345\s*<\/p>/u)
  expect(html).toContain(
    '<a href="https://films.example.org/off?a=1&amp;b=2" class="muted" style="color:#645b68">Turn this off</a>',
  )
})

test('the HTML part declares its language and direction, and loads no images', () => {
  const { html } = writeMail({ ...content, texts: { language: 'ar', direction: 'rtl' } })

  expect(html).toContain('<html lang="ar" dir="rtl">')
  expect(html).toContain('border-right:3px')
  expect(html).not.toMatch(/<img|url\(/u)
})

test('a mail keeps its calendar entry and unsubscribe URL', () => {
  const kept = {
    calendar: { method: 'PUBLISH' as const, content: 'x' },
    unsubscribeUrl: 'https://films.example.org/off',
  }

  expect(writeMail({ ...content, ...kept })).toMatchObject(kept)
})
