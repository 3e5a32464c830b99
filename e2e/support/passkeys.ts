import type { Page } from '@playwright/test'

/** A phone or laptop that makes and keeps passkeys, as Chromium's developer tools know it. */
export type Authenticator = {
  /** Whether whoever is asked says yes. */
  setAgreeing: (isAgreeing: boolean) => Promise<void>
  count: () => Promise<number>
}

/** Gives the page's browser an authenticator with user verification built in. */
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
    setAgreeing: async (isAgreeing) => {
      await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isAgreeing })
    },
    count: async () => (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}
