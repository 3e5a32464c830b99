import { SCREEN_ENDPOINTS } from '@marquee/contract/endpoints/screens'
import type { Night } from '@marquee/contract/entities/night'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Cast } from 'lucide-react'
import { type SubmitEvent, useRef, useState } from 'react'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { call } from '#web/api/call.ts'
import { useReadAgain } from '#web/api/read-again.ts'
import { RelativeTime } from '#web/i18n/relative-time.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { focusSoon } from '#web/ui/focus.ts'
import { TextField } from '#web/ui/text-field.tsx'

const pairedScreens = (nightId: string) =>
  queryOptions({
    queryKey: ['night-screens', nightId],
    queryFn: async ({ signal }) => (await call(SCREEN_ENDPOINTS.listScreens, { params: { nightId }, signal })).screens,
  })

/** Shows the night on a television that has no account, by the code that it shows, and ends that. */
export function TvSection({ night: { id: nightId, watchlistId } }: { night: Night }) {
  const { t } = useTranslation('watchlist')
  const client = useQueryClient()
  const { queryKey } = pairedScreens(nightId)
  const { data: screens = [] } = useQuery(pairedScreens(nightId))
  const [isOpen, setOpen] = useState(false)
  const section = useRef<HTMLDivElement>(null)
  const refetch = () => void client.invalidateQueries({ queryKey })
  useReadAgain(watchlistId, queryKey, (kind) => kind === 'nights-changed')
  const end = useMutation({
    mutationFn: async (screenId: string) => call(SCREEN_ENDPOINTS.endScreen, { params: { nightId, screenId } }),
    onSuccess: () => focusSoon(section),
    onSettled: refetch,
  })
  return (
    <div ref={section} tabIndex={-1} className="flex max-w-full flex-col items-start gap-3 focus:outline-none">
      {isOpen ? (
        <PairForm
          nightId={nightId}
          onPaired={() => {
            setOpen(false)
            focusSoon(section)
          }}
          onSettled={refetch}
          onCancel={() => setOpen(false)}
        />
      ) : (
        <Button tone="quiet" size="small" icon={<Cast aria-hidden />} onClick={() => setOpen(true)}>
          {t('bigScreen.pair.open')}
        </Button>
      )}
      <CallFailureBanner what={t('night.stepFailed')} error={end.error} />
      {screens.length > 0 && (
        <ul className="flex flex-col gap-2">
          {screens.map(({ screenId, by, since }) => (
            <li key={screenId} className="flex flex-wrap items-center gap-3 text-sm">
              <RelativeTime iso={since}>{(moment) => t('bigScreen.pair.paired', { name: by, moment })}</RelativeTime>
              <Button tone="quiet" size="small" disabled={end.isPending} onClick={() => end.mutate(screenId)}>
                {t('bigScreen.pair.end')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type PairFormProps = { nightId: string; onPaired: () => void; onSettled: () => void; onCancel: () => void }

/** Asks for the code that the television shows. */
function PairForm({ nightId, onPaired, onSettled, onCancel }: PairFormProps) {
  const { t } = useTranslation('watchlist')
  const [code, setCode] = useState('')
  const pair = useMutation({
    mutationFn: async () => call(SCREEN_ENDPOINTS.pairScreen, { params: { nightId }, body: { code } }),
    onSuccess: onPaired,
    onSettled,
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    pair.mutate()
  }
  return (
    <form className="flex flex-col items-start gap-3" onSubmit={submit}>
      <TextField
        label={t('bigScreen.pair.code')}
        hint={t('bigScreen.pair.hint', { address: `${location.host}/tv` })}
        name="code"
        value={code}
        maxLength={20}
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked for this field
        autoFocus
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        onChange={(event) => setCode(event.target.value)}
      />
      <CallFailureBanner what={t('bigScreen.pair.failed')} error={pair.error} />
      <div className="flex flex-wrap gap-3">
        <Button tone="quiet" type="submit" busy={pair.isPending}>
          {t('bigScreen.pair.submit')}
        </Button>
        <Button tone="quiet" onClick={onCancel}>
          {t('bigScreen.pair.cancel')}
        </Button>
      </div>
    </form>
  )
}
