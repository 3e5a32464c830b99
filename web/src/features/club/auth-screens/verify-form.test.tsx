import { expect, test } from 'vitest'

import { announceConfirmed } from '#web/account/confirmed-account.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { VerifyForm } from './verify-form.tsx'

tidyUp()

test('a verification form continues only when another tab confirms its own account', async () => {
  const verified: string[] = []
  await renderPart(
    ['Ana', 'Ben'].map((name) => (
      <VerifyForm
        key={name}
        email={`${name}@example.org`}
        username={name}
        redirect={undefined}
        onVerified={() => void verified.push(name)}
      />
    )),
  )

  announceConfirmed('ben')
  await expect.poll(() => verified, { timeout: 20_000 }).toEqual(['Ben'])
  announceConfirmed('ana')
  await expect.poll(() => verified, { timeout: 20_000 }).toEqual(['Ben', 'Ana'])
})
