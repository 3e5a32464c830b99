import type { Invitation, PendingInvitation } from '@marquee/contract/entities/invitation'
import { MAX_USERNAME_LENGTH } from '@marquee/contract/limits'
import { isEmail } from '@marquee/contract/rules/account'
import { UserPlus } from 'lucide-react'
import { type SubmitEvent, useRef, useState } from 'react'

import { isApiError } from '#web/api/api-error.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { CallFailure } from '#web/api/call-failure.tsx'
import { NeedsConnection } from '#web/offline/needs-connection.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { invitationFailure, serverMessage } from './failure.ts'
import { useInvite, useInviteByMail } from './mutations.ts'

type InviteFormProps = {
  watchlistId: string
  /** The form is what its screen is for. */
  isMain: boolean
  /** The next invitation starts, so the message about the last one is outdated. */
  onStart: () => void
  onInvited: (invitation: Invitation) => void
  onMailed: (invitation: PendingInvitation) => void
}

/** The name or address in the field, and how it is invited. Then the field is emptied, unless its text has changed. */
function useInviting({ watchlistId, onStart, onInvited, onMailed }: InviteFormProps) {
  const invite = useInvite(watchlistId)
  const mail = useInviteByMail(watchlistId)
  const [username, setUsername] = useState('')
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  const then = <T,>(report: (invitation: T) => void) => ({
    onSuccess: (invitation: T) => {
      if (field.current?.value === username) {
        setUsername('')
        field.current.focus()
      }
      report(invitation)
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const name = username.trim()
    setMissing(name === '')
    if (name === '') {
      field.current?.focus()
      return
    }
    onStart()
    invite.reset()
    mail.reset()
    if (isEmail(name)) mail.mutate(name, then(onMailed))
    else invite.mutate(name, then(onInvited))
  }
  return {
    field,
    username,
    isMissing,
    isBusy: invite.isPending || mail.isPending,
    error: invite.error ?? mail.error,
    type: (text: string) => {
      setMissing(false)
      setUsername(text)
    },
    submit,
  }
}

/** Invites a user by username, or anyone by mail address. */
export function InviteForm(props: InviteFormProps) {
  const { t } = useTranslation('watchlist')
  const { field, username, isMissing, isBusy, error, type, submit } = useInviting(props)
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3">
      <TextField
        ref={field}
        name="username"
        value={username}
        onChange={({ target }) => type(target.value)}
        label={t('invite.username')}
        hint={t('invite.usernameHint')}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={MAX_USERNAME_LENGTH}
        error={isMissing ? t('invite.usernameRequired') : undefined}
      />
      {error !== null && (
        <Banner tone="error">
          <InviteFailure error={error} />
        </Banner>
      )}
      <NeedsConnection text={t('invite.needsConnection')} />
      <Button
        tone={props.isMain ? 'primary' : 'quiet'}
        type="submit"
        icon={<UserPlus aria-hidden />}
        busy={isBusy}
        className="self-start"
      >
        {t('invite.submit')}
      </Button>
    </form>
  )
}

/** The message of the server, or a general one. */
export function InviteFailure({ error }: { error: unknown }) {
  const { t } = useTranslation('watchlist')
  const words = serverMessage(error)
  if (words !== undefined) return <p>{words}</p>
  if (isApiError(error, 'NETWORK_ERROR')) {
    return <CallFailure what={t('invite.failed')} kind={invitationFailure('invite', error)} error={error} />
  }
  return <p>{t('invite.failed')}</p>
}
