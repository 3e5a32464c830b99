import '#web/i18n/where-texts.ts'
import type { Availability } from '@marquee/contract/entities/availability'
import type { StreamingService } from '@marquee/contract/entities/streaming-service'

import { listText } from '#web/i18n/movie-facts.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { classes } from '#web/ui/classes.ts'

/** More names are only counted. */
const NAMES = 3
/** Its terms ask for its name beside what it knows. */
const SOURCE = 'JustWatch'

/** Where a movie can be watched, in one sentence: on which server it is, else who of those who are there has it, else where it is streamed, else sold. */
function useWhereText(): (where: Availability) => string {
  const { t } = useTranslation('moviecard')
  const namesOf = (services: readonly Pick<StreamingService, 'name'>[]) => {
    const names = listText(services.slice(0, NAMES).map(({ name }) => name))
    const count = services.length - NAMES
    return count > 0 ? t('where.more', { services: names, count }) : names
  }
  return ({ servers, streaming, paid, havers }) => {
    if (servers.length > 0) return t('where.server', { servers: namesOf(servers) })
    const people = havers.map(({ username, services }) =>
      t('where.person', { user: username, services: listText(services.slice(0, NAMES)) }),
    )
    if (people.length > 0) return t(people.length === 1 ? 'where.has' : 'where.have', { people: listText(people) })
    if (streaming.length > 0) return t('where.streaming', { services: namesOf(streaming) })
    return t('where.paid', { services: namesOf(paid) })
  }
}

/** The sentence, and a link to its source. What is on a server is known from the server. */
export function WhereText({ where }: { where: Availability }) {
  const whereText = useWhereText()
  const { servers, streaming, paid, havers } = where
  // It can only be asked for.
  if (servers.length + streaming.length + paid.length + havers.length === 0) return null
  const text = whereText(where)
  const isOnServer = where.servers.length > 0
  return (
    <>
      <p
        title={text}
        className={classes('line-clamp-1 min-w-0 wrap-anywhere', !isOnServer && 'pointer-coarse:line-clamp-2')}
      >
        {text}
      </p>
      {!isOnServer && where.link === null && <span className="shrink-0 text-xs">{SOURCE}</span>}
      {!isOnServer && where.link !== null && (
        <a
          href={where.link}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-6 shrink-0 items-center text-xs underline underline-offset-3 hover:text-text pointer-coarse:min-h-11"
        >
          {SOURCE}
        </a>
      )}
    </>
  )
}
