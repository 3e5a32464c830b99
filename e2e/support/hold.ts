import type { BrowserContext, Page } from '@playwright/test'

/** Keeps requests to these addresses waiting until they are released, so that what shows meanwhile can be seen. */
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
