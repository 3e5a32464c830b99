import { useState } from 'react'

import { useConnection } from '#web/api/connection.ts'
import { momentText, timeText } from '#web/i18n/dates.ts'
import { useTranslation } from '#web/i18n/texts.ts'

/** Says how old a screen is that this device has kept. */
export function AgeLine({ since }: { since: number }) {
  const { t } = useTranslation('watchlist')
  const isOnline = useConnection() === 'online'
  const date = new Date(since)
  const [today] = useState(() => new Date().toDateString())
  const time = date.toDateString() === today ? timeText(date) : momentText(date.toISOString())
  return (
    <output className="mx-auto block w-full max-w-[68.75rem] px-4 pt-2 text-sm text-muted sm:px-6">
      {t(isOnline ? 'connection.renewing' : 'connection.keptSince', { time })}
    </output>
  )
}
