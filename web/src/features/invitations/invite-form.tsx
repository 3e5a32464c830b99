import type { Invitation } from '@marquee/contract/entities/invitation'
import { MAX_USERNAME_LENGTH } from '@marquee/contract/limits'
import { UserPlus } from 'lucide-react'
import { useRef, useState } from 'react'

import { isApiError } from '#web/api/api-error.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { useReason } from '#web/i18n/use-reason.ts'
import { Banner, FailureText } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { invitationFailure, serverMessage } from './failure.ts'
import { useInvite } from './mutations.ts'

type InviteFormProps = {
  watchlistId: string
  /** The next invitation starts, so the message about the last one is outdated. */
  onStart: () => void
  onInvited: (invitation: Invitation) => void
}

/** Invites a user by username. */
export function InviteForm({ watchlistId, onStart, onInvited }: InviteFormProps) {
  const { t } = useTranslation('watchlist')
  const invite = useInvite(watchlistId)
  const [username, setUsername] = useState('')
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  const submit = () => {
    const name = username.trim()
    setMissing(name === '')
    if (name === '') {
      field.current?.focus()
      return
    }
    onStart()
    invite.mutate(name, {
      onSuccess: (invitation) => {
        if (field.current?.value === username) {
          setUsername('')
          field.current.focus()
        }
        onInvited(invitation)
      },
    })
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      className="flex flex-col gap-3"
    >
      <TextField
        ref={field}
        name="username"
        value={username}
        onChange={({ target }) => {
          setMissing(false)
          setUsername(target.value)
        }}
        label={t('invite.username')}
        hint={t('invite.usernameHint')}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={MAX_USERNAME_LENGTH}
        error={isMissing ? t('invite.usernameRequired') : undefined}
      />
      {invite.isError && (
        <Banner tone="error">
          <InviteFailure error={invite.error} />
        </Banner>
      )}
      <Button tone="quiet" type="submit" icon={<UserPlus aria-hidden />} busy={invite.isPending} className="self-start">
        {t('invite.submit')}
      </Button>
    </form>
  )
}

/** The message of the server, or a general one. */
export function InviteFailure({ error }: { error: unknown }) {
  const { t } = useTranslation('watchlist')
  const reason = useReason()
  const words = serverMessage(error)
  if (words !== undefined) return <p>{words}</p>
  const why = isApiError(error, 'NETWORK_ERROR') ? reason(invitationFailure('invite', error), error) : undefined
  return <FailureText what={t('invite.failed')} why={why} />
}
