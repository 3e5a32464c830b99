import { MAX_IMAGE_PIXELS } from '@marquee/contract/limits'
import { imageFault } from '@marquee/contract/rules/image'
import { Image, Link2, type LucideIcon, Upload } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'

import { useTranslation } from '#web/i18n/texts.ts'
import { ImagePicker } from '#web/ui/image-picker.tsx'
import { readImage, UndrawableImage } from '#web/ui/read-image.ts'
import { Segmented } from '#web/ui/segmented.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import type { ImageSource, MovieValues } from './movie-values.ts'

const ICONS: Record<ImageSource, LucideIcon> = { keep: Image, url: Link2, file: Upload }

/** Whether a file is being read. */
type Reading = { isReading: boolean; onReading: (isReading: boolean) => void }

/** The poster of a movie: an address or a file. */
export function ImageChoice({ sources, ...reading }: Reading & { sources: readonly ImageSource[] }) {
  const { t } = useTranslation('moviecard')
  const { setValue, clearErrors } = useFormContext<MovieValues>()
  const [source] = useWatch<MovieValues, ['imageSource']>({ name: ['imageSource'] })
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        legend={t('form.image')}
        name="imageSource"
        value={source}
        options={sources.map((value) => {
          const Icon = ICONS[value]
          return { value, label: t(`form.sources.${value}`), icon: <Icon aria-hidden /> }
        })}
        onChange={(chosen) => {
          clearErrors(['imageUrl', 'imageFile'])
          setValue('imageSource', chosen)
        }}
      />
      {source === 'url' && <ImageUrl />}
      {source === 'file' && <ImageFile {...reading} />}
    </div>
  )
}

function ImageUrl() {
  const { t } = useTranslation('moviecard')
  const { register, formState } = useFormContext<MovieValues>()
  const [url] = useWatch<MovieValues, ['imageUrl']>({ name: ['imageUrl'] })
  return (
    <div className="flex items-start gap-4">
      {/* An image on another server is not loaded, so that the server does not learn who adds a movie. */}
      {url.startsWith(`${location.origin}/images/`) && (
        <img
          src={url}
          alt={t('form.poster')}
          width={96}
          height={144}
          className="aspect-2/3 w-24 shrink-0 rounded-poster bg-raised object-cover"
        />
      )}
      <div className="min-w-0 flex-1">
        <TextField
          label={t('form.imageUrl')}
          hint={t('form.imageUrlHint')}
          type="url"
          required
          autoComplete="off"
          spellCheck={false}
          error={formState.errors.imageUrl?.message}
          {...register('imageUrl')}
        />
      </div>
    </div>
  )
}

function ImageFile({ isReading, onReading }: Reading) {
  const { t } = useTranslation('moviecard')
  const { setValue, setError, clearErrors, formState } = useFormContext<MovieValues>()
  const [chosen] = useWatch<MovieValues, ['imageFile']>({ name: ['imageFile'] })
  const latest = useRef<File>(undefined)
  useEffect(
    () => () => {
      latest.current = undefined
      onReading(false)
    },
    [onReading],
  )

  const pick = async (file: File) => {
    latest.current = file
    clearErrors('imageFile')
    setValue('imageFile', '')
    const fault = imageFault(file)
    onReading(fault === undefined)
    if (fault !== undefined) {
      setError('imageFile', { message: fault === 'type' ? t('errors.imageType') : t('errors.imageSize') })
      return
    }
    const result = await readImage(file, MAX_IMAGE_PIXELS).catch((error: unknown) => ({ error }))
    // Another file was chosen since, or an address.
    if (latest.current !== file) return
    onReading(false)
    if (typeof result === 'string') setValue('imageFile', result)
    else {
      const isUndrawable = result.error instanceof UndrawableImage
      setError('imageFile', { message: isUndrawable ? t('errors.imageUndrawable') : t('errors.imageFailed') })
    }
  }

  return (
    <ImagePicker
      label={chosen === '' ? t('form.imageFile') : t('form.imageFileReplace')}
      hint={t('form.imageFileHint')}
      name="image"
      required
      busyLabel={isReading ? t('form.imageReading') : undefined}
      error={formState.errors.imageFile?.message}
      preview={chosen === '' ? undefined : { src: chosen, alt: t('form.imagePreview') }}
      onPick={(file) => void pick(file)}
    />
  )
}
