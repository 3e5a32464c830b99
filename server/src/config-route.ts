import type { FastifyInstance } from 'fastify'

import { PASSWORD_MIN_LENGTH } from '@marquee/contract/limits'

import type { Ports } from './ports.ts'

/** Settings that the web app reads first: `auth` is Amplify's `Auth.Cognito`, `features` are the available features. */
export function configRoute(
  app: FastifyInstance,
  {
    accounts,
    allowGuests,
    catalogue,
    watchProviders,
    mediaServers,
  }: Pick<Ports, 'accounts' | 'allowGuests' | 'catalogue' | 'watchProviders' | 'mediaServers'>,
): void {
  const config = {
    auth: {
      ...accounts.pool,
      signUpVerificationMethod: accounts.features.verification,
      passwordFormat: { minLength: PASSWORD_MIN_LENGTH, requireUppercase: true, requireNumbers: true },
    },
    features: {
      ...accounts.features,
      hostedPages: accounts.pool.loginWith !== undefined,
      accountService: accounts.account !== undefined,
      guests: allowGuests,
      catalogue: catalogue?.source.kind ?? null,
      ...(watchProviders && { watchProviders: true }),
      ...(mediaServers && { mediaServers: true }),
    },
  }
  app.get('/config.json', async (_request, reply) => {
    const needsSetup = await isWithoutAccounts(accounts)
    return await reply
      .header('cache-control', 'no-cache')
      .send({ ...config, features: { ...config.features, needsSetup } })
  })
}

/** The web app starts without the database, too. */
async function isWithoutAccounts({ firstAccount }: Ports['accounts']): Promise<boolean> {
  return (await firstAccount?.isMissing().catch(() => false)) ?? false
}
