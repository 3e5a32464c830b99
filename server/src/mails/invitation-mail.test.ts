import { describe, expect, test } from 'vitest'

import { invitationMails } from './invitation-mail.ts'

const makeMail = invitationMails('https://films.example.org')
const LINK = 'https://films.example.org/watchlists/invitation/accept?token=t0k-en_'

function aMail(names: { username?: string; invitedBy?: string; watchlistName?: string } = {}) {
  return makeMail({
    to: 'ben@example.org',
    language: undefined,
    token: 't0k-en_',
    username: 'ben',
    invitedBy: 'Ana María',
    watchlistName: 'Friday films',
    ...names,
  })
}

test('the mail names the inviter and the watchlist, with the link on a line of its own', () => {
  const { to, subject, text, html } = aMail()

  expect(to).toBe('ben@example.org')
  expect(subject).toBe('Ana María invites you to "Friday films" on Marquee')
  expect(text.split('\n')).toContain(LINK)
  expect(text).toContain('Ana María invites you to the watchlist "Friday films".')
  expect(text).toContain('valid for 7 days')
  expect(html).toContain(`href="${LINK}"`)
})

describe.each(['username', 'invitedBy', 'watchlistName'] as const)('a hostile %s', (field) => {
  test.each(['\r\n', '\n', '\r', '\u0000', '\u0085', '\u2028', '\u2029', '\v\f'])(
    'a hostile value cannot start a new line with %j',
    (lineBreak) => {
      const plain = aMail({ [field]: 'x https://evil.example/ Bcc: eve@example.org' })

      const mail = aMail({ [field]: `x${lineBreak}https://evil.example/${lineBreak}${lineBreak}Bcc: eve@example.org` })

      expect(mail.text).toBe(plain.text)
      expect(mail.subject).toBe(plain.subject)
      expect(mail.html).toBe(plain.html)
    },
  )

  // Evidence: asvs-1.2.1, asvs-1.3.3
  test('a hostile value is text in the HTML part, never a tag or an attribute', () => {
    const { html } = aMail({ [field]: `</p><img src=x onerror="alert('x')">&` })

    expect(html).toContain('&lt;/p&gt;&lt;img src=x onerror=&quot;alert(&#39;x&#39;)&quot;&gt;&amp;')
    expect(html).not.toContain('<img')
  })

  test('a hostile value cannot change the direction of the text after it', () => {
    const { text, subject } = aMail({ [field]: 'x\u202Egro.elpmaxe.live\u2066' })

    expect(`${text}${subject}`).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/u)
  })
})

test('names keep the zero-width joiners of emoji and scripts', () => {
  const { text } = aMail({ watchlistName: '👩‍👩‍👧 می‌خواهم' })

  expect(text).toContain('"👩‍👩‍👧 می‌خواهم"')
})

test('long names are shortened in the subject and complete in the text', () => {
  const invitedBy = `Ana ${'🎬'.repeat(124)}`
  const watchlistName = 'Please open https://evil.example/ at once to keep your account'

  const { subject, text } = aMail({ invitedBy, watchlistName })

  expect(subject).toBe(`Ana ${'🎬'.repeat(25)}… invites you to "Please open https://evil.exam…" on Marquee`)
  expect(text).toContain(`${invitedBy} invites you to the watchlist "${watchlistName}".`)
})
