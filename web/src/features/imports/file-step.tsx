import { MAX_IMPORT_BYTES } from '@marquee/contract/limits'
import { FileUp } from 'lucide-react'
import { type ChangeEvent, useId, useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { classes } from '#web/ui/classes.ts'
import { FieldError, fieldWiring } from '#web/ui/field.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { readDataUrl } from '#web/ui/read-image.ts'
import { useIncomingFiles } from '#web/ui/use-incoming-files.ts'

import { useBeginImport } from './queries.ts'
import { ImportFailure } from './step-parts.tsx'

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
      <FilePicker takesFocus={takesFocus} isBusy={begin.isPending} error={fault} onPick={(file) => void send(file)} />
      {begin.isPending && (
        // The whole file has arrived, and its answer has not.
        <Progress label={sent < 1 ? t('import.sending') : t('import.reading')} value={sent < 1 ? sent : undefined} />
      )}
      {begin.isError && (
        <Banner tone="error">
          <ImportFailure what={t('import.failed')} error={begin.error} />
        </Banner>
      )}
    </div>
  )
}

type FilePickerProps = { takesFocus: boolean; isBusy: boolean; error: string | undefined; onPick: (file: File) => void }

function FilePicker({ takesFocus, isBusy, error, onPick }: FilePickerProps) {
  const { t } = useTranslation('watchlist')
  const id = useId()
  const [isOver, setOver] = useState(false)
  useIncomingFiles(onPick)

  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    if (file !== undefined) onPick(file)
    // The same file can be chosen again.
    target.value = ''
  }

  return (
    <div className="flex flex-col gap-1.5">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping is the pointer's way only; the input inside is the way for all */}
      <label
        onDragOver={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={() => setOver(false)}
        className={classes(
          'flex min-h-40 flex-col items-center justify-center gap-2 rounded-panel border border-dashed border-control-edge bg-surface p-6 text-center has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
          isOver && 'border-accent bg-raised',
          error !== undefined && 'border-danger',
        )}
      >
        <FileUp aria-hidden className="size-8 text-muted" />
        <span className="font-semibold">{t('import.choose')}</span>
        <span id={`${id}-hint`} className="text-sm text-muted">
          {t('import.chooseHint')}
        </span>
        <input
          {...fieldWiring(id, { hint: t('import.chooseHint'), error })}
          aria-label={t('import.choose')}
          type="file"
          name="file"
          accept=".csv,.json,.zip,.txt,text/*,application/json,application/zip"
          disabled={isBusy}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- only after a step that the user left
          autoFocus={takesFocus}
          onChange={change}
          className="sr-only"
        />
      </label>
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}
