import { MAX_IMPORT_BYTES } from '@marquee/contract/limits'
import { FileUp } from 'lucide-react'
import { useState } from 'react'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { FilePicker } from '#web/ui/file-picker.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { readDataUrl } from '#web/ui/read-image.ts'

import { useBeginImport } from './queries.ts'

type FileStepProps = {
  watchlistId: string
  /** The user came back from a later step, whose controls are gone. */
  takesFocus: boolean
}

/** Lets the user choose, drop or paste a file, and sends it. */
export function FileStep({ watchlistId, takesFocus }: FileStepProps) {
  const { t } = useTranslation('watchlist')
  const begin = useBeginImport(watchlistId)
  const [sent, setSent] = useState(0)
  const [fault, setFault] = useState<string>()

  const send = async (file: File) => {
    if (begin.isPending) return
    begin.reset()
    setSent(0)
    setFault(file.size > MAX_IMPORT_BYTES ? t('import.tooLarge') : undefined)
    if (file.size > MAX_IMPORT_BYTES) return
    try {
      const [, fileData = ''] = (await readDataUrl(file)).split(',')
      begin.mutate({ fileName: file.name || 'import', fileData, onProgress: setSent })
    } catch {
      setFault(t('import.unreadable'))
    }
  }

  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">
        {t('import.intro')} {t('import.secret')}
      </p>
      <FilePicker
        label={t('import.choose')}
        hint={t('import.chooseHint')}
        error={fault}
        name="file"
        accept=".csv,.json,.zip,.txt,text/*,application/json,application/zip"
        disabled={begin.isPending}
        takesFocus={takesFocus}
        onPick={(file) => void send(file)}
        className="min-h-40 flex-col justify-center gap-2 rounded-panel p-6 text-center"
        before={<FileUp aria-hidden className="size-8 text-muted" />}
      />
      {begin.isPending && (
        // The whole file has arrived, and its answer has not.
        <Progress label={sent < 1 ? t('import.sending') : t('import.reading')} value={sent < 1 ? sent : undefined} />
      )}
      <CallFailureBanner what={t('import.failed')} error={begin.error} />
    </div>
  )
}
