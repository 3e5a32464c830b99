import { describeUnopened, resealColumns } from '@marquee/platform/sealed/reseal'
import { systemRandom } from '@marquee/platform/runtime/random'

import { isOnAmazon } from '../amazon-accounts.ts'
import { readMasterKeys } from '../master-keys.ts'
import { sealedColumns } from '../sealed-columns.ts'
import type { Settings } from '../settings/settings.ts'
import { type Command, Misuse } from './command.ts'
import { openIdentity, withDatabase, withInstance } from './with-instance.ts'

/** Replaces the keys. All users stay signed in. */
export const keys: Command = {
  usage: 'keys rotate-signing | rotate-encryption',
  summary: [
    'rotate-signing: makes new keys for tokens, in use in an hour. rotate-encryption: encrypts everything again with',
    'the first master key of the settings; the earlier ones may be taken away afterwards.',
  ].join('\n      '),
  run: async ([action, ...more], settings) => {
    if (more.length > 0 || (action !== 'rotate-signing' && action !== 'rotate-encryption'))
      throw new Misuse('Say which keys.')
    if (action === 'rotate-encryption') {
      await rotateEncryption(settings)
      return
    }
    await withInstance(settings, async ({ identity }) => {
      const { kids, signsFrom } = await identity.keys.rotateSigning()
      console.log(`New keys ${kids.join(' and ')} sign from ${signsFrom}.`)
    })
  },
}

/** Also where Amazon Cognito keeps the accounts: the product has encrypted values of its own. */
async function rotateEncryption(settings: Settings): Promise<void> {
  await withDatabase(settings, async (database) => {
    const masterKeys = await readMasterKeys(settings, database)
    const ofAccounts = isOnAmazon(settings) ? 0 : await (await openIdentity(database, settings)).keys.rotateEncryption()
    const { resealed, unopened } = await resealColumns({ database, random: systemRandom }, sealedColumns(masterKeys))
    console.log(`${ofAccounts + resealed} values were encrypted again.`)
    for (const sentence of describeUnopened(unopened)) console.log(sentence)
  })
}
