import type { Page } from '@playwright/test'

/** A virtual authenticator of Chromium's developer tools. */
export type Authenticator = {
  /** Whether the user confirms requests. */
  setConfirming: (isConfirming: boolean) => Promise<void>
  count: () => Promise<number>
}

/** Adds an authenticator with user verification to the page's browser. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    setConfirming: async (isConfirming) => {
      await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isConfirming })
    },
    count: async () => (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}
