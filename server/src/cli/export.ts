import { NO_CALLER } from '@marquee/platform/http/caller'
import { systemClock } from '@marquee/platform/runtime/clock'

import { ownData } from '../own-data.ts'
import { imageAddresses } from '../rooms/movies/images/names.ts'
import { getOwnProfile } from '../rooms/club/profiles/service.ts'
import { type Command, Misuse } from './command.ts'
import { requireUser, withInstance } from './with-instance.ts'

/** Prints all data of a user, as they could export it themselves. */
export const exportUser: Command = {
  usage: 'export USER > FILE',
  summary: 'Prints everything that is kept of a person as JSON: what the person gets as “Download my data”.',
  run: async (args, settings) => {
    const [name, ...more] = args
    if (name === undefined || more.length > 0) throw new Misuse('Name one user.')
    await withInstance(settings, async ({ database, identity }) => {
      const user = await requireUser(identity, name)
      const publicUrl = settings.PUBLIC_URL
      const images = imageAddresses(publicUrl, settings.REMOTE_POSTERS)
      const ownProfile = async () => await getOwnProfile({ database, images, publicUrl }, user)
      const ports = { database, clock: systemClock, images, account: identity.account, ownProfile }
      let text = ''
      for await (const part of ownData(ports, user, NO_CALLER)) text += part
      console.log(JSON.stringify(JSON.parse(text), undefined, 2))
    })
  },
}
