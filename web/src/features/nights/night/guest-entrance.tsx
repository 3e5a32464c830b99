import type { Night, NightGuest } from '@marquee/contract/entities/night'
import { MAX_GUESTS_PER_ADDRESS } from '@marquee/contract/limits'
import { QrCode as QrIcon, RefreshCw, X } from 'lucide-react'
import { useId, useState } from 'react'

import { CallFailureBanner, whyFailed } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { CopyText } from '#web/ui/copy-text.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { Switch } from '#web/ui/switch.tsx'

import { joinAddress, personStyle } from './night-parts.tsx'
import { useGuestLimit, useNightStep, useRemoveGuest } from './queries.ts'

/** How guests join the open night: the code, its link and a QR code. It takes much room, so it opens on demand. */
export function GuestEntrance({ night }: { night: Night }) {
  const { t } = useTranslation('watchlist')
  const [isOpen, setOpen] = useState(false)
  const step = useNightStep(night)
  const toggle = () => {
    if (night.joinCode === null) step.mutate('letGuestsIn', { onSuccess: () => setOpen(true) })
    else setOpen(!isOpen)
  }
  return (
    <>
      <CallFailureBanner what={t('night.stepFailed')} error={step.error} />
      <Button
        tone="quiet"
        size="small"
        icon={<QrIcon aria-hidden />}
        busy={step.isPending}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {t('night.guests.letIn')}
      </Button>
      {isOpen && night.joinCode !== null && <JoinCode night={night} code={night.joinCode} />}
    </>
  )
}

function JoinCode({ night, code }: { night: Night; code: string }) {
  const { t } = useTranslation('watchlist')
  const step = useNightStep(night)
  const limit = useGuestLimit(night)
  const renewHintId = useId()
  const url = `${location.origin}${to.joinNight(code)}`
  return (
    <section aria-label={t('night.guests.title')} className="order-last flex basis-full flex-col gap-3">
      <p className="text-sm text-muted">{t('night.guests.hint', { address: joinAddress() })}</p>
      <div className="flex flex-wrap items-center gap-6">
        <QrCode text={url} label={t('night.guests.qr')} />
        <div className="flex flex-col items-start gap-3">
          <output className="font-display text-4xl font-bold tracking-widest">{code}</output>
          <CopyText key={url} text={url} label={t('night.guests.copy')} doneLabel={t('night.guests.copied')} />
        </div>
      </div>
      <CallFailureBanner what={t('night.stepFailed')} error={step.error ?? limit.error} />
      <div className="flex flex-col items-start gap-1">
        <Button
          tone="quiet"
          size="small"
          icon={<RefreshCw aria-hidden />}
          busy={step.isPending}
          aria-describedby={renewHintId}
          onClick={() => step.mutate('renewCode')}
        >
          {t('night.guests.renew')}
        </Button>
        <p id={renewHintId} className="text-sm text-muted">
          {t('night.guests.renewHint')}
        </p>
      </div>
      <Switch
        name="allowsManyGuests"
        label={t('night.guests.many')}
        hint={t('night.guests.manyHint', { max: MAX_GUESTS_PER_ADDRESS })}
        isOn={night.allowsManyGuests}
        isBusy={limit.isPending}
        onChange={(isOn) => limit.mutate(isOn)}
      />
    </section>
  )
}

/** The guests who are here, among the people of the night. */
export function GuestItems({ night }: { night: Night }) {
  return night.guests.map((guest) => <GuestItem key={guest.guestId} night={night} guest={guest} />)
}

function GuestItem({ night, guest: { guestId, nickname } }: { night: Night; guest: NightGuest }) {
  const { t } = useTranslation('watchlist')
  const [isAsking, setAsking] = useState(false)
  const remove = useRemoveGuest(night)
  return (
    <li className={personStyle}>
      <Avatar name={nickname} size="small" />
      <span className="truncate">{t('night.guests.guest', { name: nickname })}</span>
      <button
        type="button"
        aria-label={t('night.guests.remove', { name: nickname })}
        className="-my-1 -me-2 grid size-8 shrink-0 place-items-center rounded-full text-muted hover:text-text pointer-coarse:size-11"
        onClick={() => setAsking(true)}
      >
        <X aria-hidden className="size-4" />
      </button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('night.guests.sure', { name: nickname })}
        description={t('night.guests.sureWhy')}
        confirmLabel={t('night.guests.confirm')}
        cancelLabel={t('night.guests.keep')}
        action={remove}
        failure={whyFailed(t('night.stepFailed'))}
        onConfirm={() => remove.mutate(guestId, { onSuccess: () => setAsking(false) })}
        onCancel={() => setAsking(false)}
      />
    </li>
  )
}
