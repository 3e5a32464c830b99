import { useTranslation } from 'react-i18next'

import type { ImageUploadTexts } from '#web/ui/image-upload.tsx'

/** What the steps of an avatar upload say. */
export function useAvatarTexts(): ImageUploadTexts {
  const { t } = useTranslation('profile')
  return {
    choose: t('picture.choose'),
    hint: t('picture.hint'),
    reading: t('picture.reading'),
    undrawable: t('errors.type'),
    preview: t('picture.preview'),
    upload: t('picture.upload'),
    cancel: t('picture.cancel'),
    uploading: (percent) => t('picture.uploading', { percent }),
    processing: t('picture.processing'),
  }
}
