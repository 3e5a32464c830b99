import { RestorableExport } from '@marquee/contract/entities/export'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { MAX_RESTORE_BYTES } from '@marquee/contract/limits'
import { FileUp } from 'lucide-react'
import { useState } from 'react'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { FilePicker } from '#web/ui/file-picker.tsx'
import { Progress } from '#web/ui/progress.tsx'

import { useRestoreWatchlist } from './creation-mutations.ts'
import { watchlistFailure } from './watchlist-states.tsx'

/** Lets the user choose, drop or paste an export, and creates a watchlist from it. */
export function RestoreFile({ onRestored }: { onRestored: (restored: Watchlist) => void }) {
  const { t } = useTranslation('watchlist')
  const restore = useRestoreWatchlist()
  const [sent, setSent] = useState(0)
  const [fault, setFault] = useState<string>()

  const send = async (chosen: File) => {
    if (restore.isPending) return
    restore.reset()
    setSent(0)
    setFault(chosen.size > MAX_RESTORE_BYTES ? t('restore.tooLarge') : undefined)
    if (chosen.size > MAX_RESTORE_BYTES) return
    const { data: file } = RestorableExport.safeParse(await readJson(chosen))
    if (file === undefined) setFault(t('restore.notAnExport'))
    else restore.mutate({ file, onProgress: setSent }, { onSuccess: onRestored })
  }

  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-muted">{t('restore.intro')}</p>
      <FilePicker
        label={t('restore.choose')}
        hint={t('restore.chooseHint')}
        error={fault}
        name="file"
        accept=".json,application/json"
        disabled={restore.isPending}
        onPick={(file) => void send(file)}
        className="min-h-24 flex-col justify-center gap-2 rounded-panel p-4 text-center"
        before={<FileUp aria-hidden className="size-6 text-muted" />}
      />
      {restore.isPending && (
        <Progress
          // The whole file has arrived, and its answer has not.
          label={sent < 1 ? t('restore.sending') : t('restore.working')}
          value={sent < 1 ? sent : undefined}
        />
      )}
      <CallFailureBanner
        what={t('restore.failed')}
        kind={watchlistFailure('create', restore.error)}
        error={restore.error}
      />
    </div>
  )
}

/** The content of the file; undefined if it is not JSON. */
async function readJson(file: File): Promise<unknown> {
  try {
    return JSON.parse(await file.text())
  } catch {
    return undefined
  }
}
