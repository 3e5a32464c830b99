import type { BrowserContext, Page } from '@playwright/test'

/** Delays requests to these addresses until they are released, so that a test can check the pending state. */
export async function holdRequests(
  page: Page | BrowserContext,
  address: string | RegExp,
): Promise<{ release: () => void }> {
  const { promise: released, resolve } = Promise.withResolvers<undefined>()
  await page.route(address, async (route) => {
    await released
    await route.continue()
  })
  return { release: () => resolve(undefined) }
}
