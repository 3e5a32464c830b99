import { MAX_IMAGE_PIXELS } from '@marquee/contract/limits'
import { imageFault } from '@marquee/contract/rules/image'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'

import { isApiError } from '#web/api/api-error.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { CallFailure, whyFailed } from '#web/api/call-failure.tsx'
import { useRemoveAvatar, useUploadAvatar } from '#web/people/mutations.ts'
import { ownProfile } from '#web/people/queries.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { RetryBanner } from '#web/ui/banner.tsx'
import { BriefSuccess } from '#web/ui/brief-success.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { focusSoon } from '#web/ui/focus.ts'
import { type ImageUploadTexts, ImageUpload } from '#web/ui/image-upload.tsx'
import { Panel } from '#web/ui/panel.tsx'

/** The texts of an avatar upload. */
function useAvatarTexts(): ImageUploadTexts {
  const { t } = useTranslation('profile')
  return {
    choose: t('picture.choose'),
    hint: t('picture.hint'),
    reading: t('picture.reading'),
    undrawable: t('errors.undrawable'),
    preview: t('picture.preview'),
    upload: t('picture.upload'),
    cancel: t('picture.cancel'),
    uploading: (percent) => t('picture.uploading', { percent }),
    processing: t('picture.processing'),
  }
}

type ProfileFailure = 'UPLOAD_ERROR' | 'FETCH_ERROR' | 'VALIDATION_ERROR' | 'UNAUTHORIZED'

/** The kind of a failure, which decides its text. See docs/product/errors.md. */
export function profileFailure(action: 'fetch' | 'change', error: unknown): ProfileFailure {
  if (isApiError(error, 'UNAUTHORIZED')) return 'UNAUTHORIZED'
  if (action === 'fetch') return 'FETCH_ERROR'
  return isApiError(error, 'VALIDATION_ERROR', 'BAD_REQUEST', 'PAYLOAD_TOO_LARGE') ? 'VALIDATION_ERROR' : 'UPLOAD_ERROR'
}

type Outcome = 'none' | 'uploaded' | 'removed'

type PictureSectionProps = { username: string; loginId: string }

/** The avatar of the user, and how to change it. */
export function PictureSection({ username, loginId }: PictureSectionProps) {
  const { t } = useTranslation('profile')
  const headingId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const { data } = useQuery(ownProfile())
  const [outcome, setOutcome] = useState<Outcome>('none')
  const [isAsking, setAsking] = useState(false)

  return (
    <Panel aria-labelledby={headingId} className="flex flex-col gap-5">
      <h2 ref={heading} id={headingId} tabIndex={-1} className="text-xl focus:outline-none">
        {t('picture.title')}
      </h2>
      <CurrentPicture username={username} loginId={loginId} />
      {outcome !== 'none' && (
        <BriefSuccess key={outcome} onEnd={() => setOutcome('none')}>
          {t(`picture.${outcome}`)}
        </BriefSuccess>
      )}
      <AvatarUpload username={username} onPick={() => setOutcome('none')} onUploaded={() => setOutcome('uploaded')}>
        {data?.hasAvatar === true && (
          <Button
            tone="danger"
            icon={<Trash2 aria-hidden />}
            className="self-start"
            onClick={() => {
              setOutcome('none')
              setAsking(true)
            }}
          >
            {t('picture.remove')}
          </Button>
        )}
      </AvatarUpload>
      <RemoveDialog
        username={username}
        isOpen={isAsking}
        onKept={() => setAsking(false)}
        onRemoved={() => {
          setAsking(false)
          setOutcome('removed')
          // The button that opened the dialog is gone.
          focusSoon(heading)
        }}
      />
    </Panel>
  )
}

function CurrentPicture({ username, loginId }: PictureSectionProps) {
  const { t } = useTranslation('profile')
  const profile = useQuery(ownProfile())
  return (
    <>
      <div className="flex items-center gap-4">
        <Avatar name={username} src={profile.data?.avatarUrl} size="large" />
        <div className="min-w-0">
          <p className="text-lg font-semibold">{username}</p>
          {loginId !== username && <p className="text-muted">{loginId}</p>}
        </div>
      </div>
      {profile.isError && (
        <RetryBanner query={profile}>
          <CallFailure
            what={t('picture.loadFailed')}
            kind={profileFailure('fetch', profile.error)}
            error={profile.error}
          />
        </RetryBanner>
      )}
    </>
  )
}

type AvatarUploadProps = { username: string; onPick: () => void; onUploaded: () => void; children: ReactNode }

function AvatarUpload({ username, ...shown }: AvatarUploadProps) {
  const { t } = useTranslation('profile')
  const upload = useUploadAvatar(username)
  return (
    <ImageUpload
      {...shown}
      texts={useAvatarTexts()}
      shape="round"
      maxPixels={MAX_IMAGE_PIXELS}
      faultOf={(file) => {
        const fault = imageFault(file)
        return fault && t(`errors.${fault}`)
      }}
      send={async (imageData, watch) => upload.mutateAsync({ imageData, ...watch })}
      failureOf={(error) => (
        <CallFailure what={t('errors.uploadFailed')} kind={profileFailure('change', error)} error={error} />
      )}
    />
  )
}

type RemoveDialogProps = { username: string; isOpen: boolean; onKept: () => void; onRemoved: () => void }

function RemoveDialog({ username, isOpen, onKept, onRemoved }: RemoveDialogProps) {
  const { t } = useTranslation('profile')
  const remove = useRemoveAvatar(username)
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('remove.title')}
      description={t('remove.description')}
      confirmLabel={t('remove.confirm')}
      cancelLabel={t('remove.cancel')}
      action={remove}
      failure={whyFailed(t('errors.removeFailed'), (error) => profileFailure('change', error))}
      onCancel={onKept}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onRemoved })}
    />
  )
}
