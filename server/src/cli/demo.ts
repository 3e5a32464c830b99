import { Problem } from '@marquee/contract/problems'
import { systemClock } from '@marquee/platform/runtime/clock'
import { systemRandom } from '@marquee/platform/runtime/random'
import { Refusal } from '@marquee/platform/runtime/refusal'
import { mailForServer } from '@marquee/platform/mail/queue'

import { DEMO_NAME, fillDemo, hasDemo, removeDemo } from '../demo/demo.ts'
import { LEAVING } from '../leaving.ts'
import { nightCalendars } from '../mails/night-calendar.ts'
import { nightMails } from '../mails/night-mail.ts'
import { factsTo } from '../rooms/news/facts/service.ts'
import { imageAddresses } from '../rooms/movies/images/names.ts'
import { requestPictures } from '../rooms/movies/posters/queue.ts'
import { uncopiedPosters } from '../rooms/movies/posters/service.ts'
import { removePersonAt } from '../remove-person.ts'
import { type Command, readName } from './command.ts'
import { requireUser, withInstance } from './with-instance.ts'

/** Fills a demo watchlist, and removes it. */
export const demo: Command = {
  usage: 'demo USER [--remove]',
  summary:
    'Adds a watchlist with films, members, comments, ratings and a past movie night. --remove removes all of it.',
  run: async (args, settings) => {
    const { name, has } = readName(args, ['remove'], 'Name one user.')
    await withInstance(settings, async ({ database, identity }) => {
      const user = await requireUser(identity, name)
      const { PUBLIC_URL: publicUrl, CATALOGUE, REMOTE_POSTERS } = settings
      const hasCatalogue = CATALOGUE !== 'off' && REMOTE_POSTERS === 'copy'
      const ports = {
        database,
        clock: systemClock,
        random: systemRandom,
        images: {
          ...imageAddresses(publicUrl, REMOTE_POSTERS),
          keep: async () => await Promise.reject(new Error('The demo uploads no images')),
        },
        posters: {
          ...uncopiedPosters,
          // The server looks for new requests once a minute.
          ...(hasCatalogue && { requestPictures: requestPictures.bind(undefined, systemClock) }),
        },
        // Browsers see the watchlist at their next look.
        facts: factsTo({
          random: systemRandom,
          live: { publish: () => undefined },
          wakeActivities: () => undefined,
        }),
        publicUrl,
        mail: mailForServer({ clock: systemClock, random: systemRandom }),
        accounts: identity,
        nightCalendar: nightCalendars(publicUrl),
        nightMail: nightMails(publicUrl),
        // The demo mails no one.
        mailTimes: async () => await Promise.resolve(new Map<string, Date>()),
      }
      if (has('remove')) {
        const removePerson = removePersonAt(systemClock, systemRandom)
        const isRemoved = await removeDemo({ ...ports, ...LEAVING }, user, removePerson).catch((error: unknown) => {
          const isOfAnother = error instanceof Problem && error.key === 'FORBIDDEN'
          throw isOfAnother ? new Refusal(`The demo watchlist of ${user.username} has another owner by now.`) : error
        })
        console.log(isRemoved ? 'The demo watchlist is removed.' : `${user.username} has no demo watchlist.`)
        return
      }
      if (await hasDemo(ports, user)) {
        throw new Refusal(`${user.username} has a demo watchlist. Remove it first: demo ${user.username} --remove`)
      }
      await fillDemo(ports, user)
      console.log(`${user.username} has the watchlist "${DEMO_NAME}". Reload the page to see it.`)
    }).catch((error: unknown) => {
      throw error instanceof Problem ? new Refusal(error.message) : error
    })
  },
}
