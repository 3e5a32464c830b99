import '#web/i18n/night-texts.ts'
import { Nickname } from '@marquee/contract/entities/night'
import { MAX_NICKNAME_LENGTH } from '@marquee/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { LiveRegion } from '#web/ui/live-region.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useForm } from '#web/ui/use-form.ts'

import { guestNight, type GuestPass, keepPass, keptPass, plainCode, useJoinNight } from './guest-pass.ts'
import { GuestNight } from './guest-night.tsx'
import { NightTitle } from './night-parts.tsx'

type GuestPageProps = {
  /** The code of the link; empty without one. */
  code: string
  /** Undefined for a visitor who is not signed in. */
  username: string | undefined
  /** The user is a member and has claimed the guest. */
  onMember: (watchlistId: string) => void
}

/** A movie night for people without an account: the form to join, then the night. */
export function GuestPage({ code, username, onMember }: GuestPageProps) {
  const [pass, setPass] = useState(keptPass)
  const change = (next: GuestPass | undefined) => {
    keepPass(next)
    setPass(next)
  }
  const [isBack, setBack] = useState(false)
  const goToNight = (watchlistId: string) => {
    keepPass(undefined)
    onMember(watchlistId)
  }
  // A link to another night is a new start.
  const isHere = pass !== undefined && (isBack || code === '' || pass.code === plainCode(code))
  return (
    <>
      <LiveRegion />
      {isHere ? <GuestTitle pass={pass} /> : <NightTitle />}
      {isHere ? (
        <GuestNight
          key={pass.token}
          pass={pass}
          username={username}
          onGone={() => change(undefined)}
          onSaved={(savedTo) => change({ ...pass, savedTo })}
          onMember={goToNight}
        />
      ) : (
        <>
          {pass && <WayBack pass={pass} onBack={() => setBack(true)} />}
          <JoinForm code={code} username={username} onJoined={change} onMember={goToNight} />
        </>
      )}
    </>
  )
}

function GuestTitle({ pass }: { pass: GuestPass }) {
  return <NightTitle watchlistName={useQuery(guestNight(pass)).data?.night.watchlistName} />
}

/** For a guest of a night that is still on: its members may have made another code since. */
function WayBack({ pass, onBack }: { pass: GuestPass; onBack: () => void }) {
  const { t } = useTranslation('watchlist')
  const { data } = useQuery(guestNight(pass))
  const { nickname } = data?.night.guests.find(({ guestId }) => guestId === pass.guestId) ?? {}
  if (data?.night.state !== 'open' || nickname === undefined) return null
  return (
    <div className="mb-6 flex flex-col items-start gap-3 border-b border-line pb-6">
      <p>{t('night.join.isGuest', { name: nickname, watchlist: data.night.watchlistName })}</p>
      <Button tone="quiet" onClick={onBack}>
        {t('strip.back')}
      </Button>
    </div>
  )
}

type JoinFormProps = GuestPageProps & { onJoined: (pass: GuestPass) => void }

function JoinForm({ code, username, onJoined, onMember }: JoinFormProps) {
  const { t } = useTranslation('watchlist')
  const join = useJoinNight(username)
  const send = (values: Parameters<typeof join.mutate>[0]) =>
    join.mutate(values, {
      onSuccess: ({ pass, memberOf }) => (memberOf === undefined ? onJoined(pass) : onMember(memberOf)),
    })
  const { register, handleSubmit, formState } = useForm({ defaultValues: { code, nickname: '' } })
  const { errors } = formState
  const required = (value: string) => value.trim() !== '' || t('night.join.required')
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void handleSubmit(send)(event)}>
      <header className="flex flex-col gap-2">
        <h1 className="text-2xl">{t('night.join.title')}</h1>
        <p className="text-muted">{t('night.join.hint')}</p>
      </header>
      <CallFailureBanner what={t('night.join.failed')} error={join.error} />
      <TextField
        label={t('night.join.code')}
        error={errors.code?.message}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        {...register('code', { validate: required })}
      />
      <TextField
        label={t('night.join.name')}
        hint={t('night.join.nameHint')}
        error={errors.nickname?.message}
        autoComplete="nickname"
        {...register('nickname', {
          validate: {
            required,
            short: (value) =>
              Nickname.safeParse(value).success || t('night.join.tooLong', { max: MAX_NICKNAME_LENGTH }),
          },
        })}
      />
      <Button tone="primary" size="large" type="submit" busy={join.isPending}>
        {t('night.join.submit')}
      </Button>
    </form>
  )
}
