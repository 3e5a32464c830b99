import { MAX_IMAGE_PIXELS } from '@marquee/contract/limits'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { imageFault } from '@marquee/contract/rules/image'
import { Trash2, X } from 'lucide-react'
import { useId, useState } from 'react'

import { CallFailure, whyFailed } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ImageUpload, type ImageUploadTexts } from '#web/ui/image-upload.tsx'

import { useRemoveImage, useUploadImage } from './mutations.ts'
import { watchlistFailure } from './watchlist-states.tsx'

type ImageEditorProps = {
  watchlist: Watchlist
  onDone: (what: 'uploaded' | 'removed') => void
  onClose: () => void
}

/** Uploads an image after a preview, or removes the current one. */
export function ImageEditor({ watchlist, onDone, onClose }: ImageEditorProps) {
  const { t } = useTranslation('watchlist')
  const headingId = useId()
  const upload = useUploadImage(watchlist.id)
  const [isAsking, setAsking] = useState(false)
  const texts = useImageTexts()
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3 border-b border-line pb-4">
      <div className="flex items-center justify-between gap-2">
        <h2 id={headingId} className="text-lg">
          {t('image.title')}
        </h2>
        <IconButton aria-label={t('image.close')} icon={<X aria-hidden />} className="-me-2" onClick={onClose} />
      </div>
      <ImageUpload
        takesFocus
        texts={texts}
        shape="wide"
        maxPixels={MAX_IMAGE_PIXELS}
        faultOf={(file) => {
          const fault = imageFault(file)
          return fault && t(`imageErrors.${fault}`)
        }}
        send={async (imageData, watch) => upload.mutateAsync({ imageData, ...watch })}
        failureOf={(error) => (
          <CallFailure
            what={t('imageErrors.uploadFailed')}
            kind={watchlistFailure('uploadImage', error)}
            error={error}
          />
        )}
        onUploaded={() => onDone('uploaded')}
      >
        {watchlist.hasImage && (
          <Button
            tone="danger"
            size="small"
            icon={<Trash2 aria-hidden />}
            className="self-start"
            onClick={() => setAsking(true)}
          >
            {t('image.remove')}
          </Button>
        )}
      </ImageUpload>
      <RemoveImageDialog
        watchlist={watchlist}
        isOpen={isAsking}
        onKept={() => setAsking(false)}
        onRemoved={() => onDone('removed')}
      />
    </section>
  )
}

type RemoveImageDialogProps = { watchlist: Watchlist; isOpen: boolean; onKept: () => void; onRemoved: () => void }

function RemoveImageDialog({ watchlist, isOpen, onKept, onRemoved }: RemoveImageDialogProps) {
  const { t } = useTranslation('watchlist')
  const remove = useRemoveImage(watchlist)
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('removeImage.title')}
      description={t('removeImage.description')}
      confirmLabel={t('removeImage.confirm')}
      cancelLabel={t('removeImage.cancel')}
      action={remove}
      failure={whyFailed(t('imageErrors.removeFailed'), (error) => watchlistFailure('deleteImage', error))}
      onCancel={onKept}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onRemoved })}
    />
  )
}

function useImageTexts(): ImageUploadTexts {
  const { t } = useTranslation('watchlist')
  return {
    choose: t('image.choose'),
    hint: t('image.hint'),
    reading: t('image.reading'),
    undrawable: t('imageErrors.undrawable'),
    preview: t('image.preview'),
    upload: t('image.upload'),
    cancel: t('image.cancel'),
    uploading: (percent) => t('image.uploading', { percent }),
    processing: t('image.processing'),
  }
}
