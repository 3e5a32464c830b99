import type { JoinLink } from '@marquee/contract/entities/join-link'
import { isSameUser } from '@marquee/contract/rules/account'
import { useQuery } from '@tanstack/react-query'
import { Link2Off, QrCode as QrIcon, Share } from 'lucide-react'
import { useRef, useState } from 'react'

import { dayText } from '#web/i18n/dates.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { to } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyText } from '#web/ui/copy-text.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { focusSoon } from '#web/ui/focus.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { Unread } from '#web/ui/unread.tsx'

import { useCreateLink, useRevokeLink, useSetLinkCreators } from './mutations.ts'
import { firstJoinLink, joinLinks, USUAL_LINK } from './queries.ts'

const DAYS = [1, 7, 30]
const USES = [1, 5, 10, 25, 100]

type LinkPartProps = { watchlistId: string; username: string; isOwner: boolean }

/** A link to share, made at once if there is none that the user may see, and behind it all open links. */
export function LinkPart({ watchlistId, username, isOwner }: LinkPartProps) {
  const { t } = useTranslation('watchlist')
  const query = useQuery(joinLinks(watchlistId))
  const { data } = query
  const [chosenId, setChosenId] = useState<string>()
  const place = useRef<HTMLDivElement>(null)
  const showable = data?.links.filter(({ token }) => typeof token === 'string') ?? []
  const mayCreate = data !== undefined && (isOwner || data.creators === 'members')
  // Those who revoke their last link want none, for now.
  const [hadLink, setHadLink] = useState(false)
  if (!hadLink && showable.length > 0) setHadLink(true)
  const first = useQuery({ ...firstJoinLink(watchlistId), enabled: mayCreate && !hadLink })

  if (data === undefined)
    return <Unread query={query} loading={t('joinLinks.loading')} failed={t('joinLinks.failed')} />
  const shown = showable.find(({ id }) => id === chosenId) ?? showable.at(0)
  return (
    <div ref={place} tabIndex={-1} className="flex flex-col gap-4 focus:outline-none">
      <p className="text-sm text-muted">{t(mayCreate ? 'joinLinks.hint' : 'joinLinks.ownerOnly')}</p>
      {first.isFetching && <Spinner label={t('joinLinks.loading')} />}
      {first.isError && shown === undefined && (
        <CallFailureBanner what={t('joinLinks.createFailed')} error={first.error} />
      )}
      {shown !== undefined && <ShownLink link={shown} />}
      {shown === undefined && mayCreate && !first.isFetching && (
        <LinkForm watchlistId={watchlistId} isMain onMade={({ id }) => setChosenId(id)} />
      )}
      {(data.links.length > 0 || isOwner) && (
        <Fold title={t('joinLinks.others')}>
          {mayCreate && shown !== undefined && (
            <LinkForm
              watchlistId={watchlistId}
              onMade={({ id }) => {
                setChosenId(id)
                focusSoon(place)
              }}
            />
          )}
          <OpenLinks
            watchlistId={watchlistId}
            links={data.links}
            isOwn={({ createdBy }) => isOwner || isSameUser(createdBy, username)}
            isShowable={(link) => link !== shown && showable.includes(link)}
            onShow={({ id }) => {
              setChosenId(id)
              focusSoon(place)
            }}
            onRevoked={() => focusSoon(place)}
          />
          {isOwner && <CreatorsSwitch watchlistId={watchlistId} isOwnerOnly={data.creators === 'owner'} />}
        </Fold>
      )}
    </div>
  )
}

type OpenLinksProps = {
  watchlistId: string
  links: readonly JoinLink[]
  isOwn: (link: JoinLink) => boolean
  isShowable: (link: JoinLink) => boolean
  onShow: (link: JoinLink) => void
  onRevoked: () => void
}

function OpenLinks({ watchlistId, links, isOwn, isShowable, onShow, onRevoked }: OpenLinksProps) {
  const { t } = useTranslation('watchlist')
  const revoke = useRevokeLink(watchlistId)
  return (
    <>
      <ul aria-label={t('joinLinks.title')} className="flex flex-col gap-2 empty:hidden">
        {links.map((link) => (
          <LinkRow
            key={link.id}
            link={link}
            isBusy={revoke.isPending}
            onShow={isShowable(link) ? () => onShow(link) : undefined}
            onRevoke={isOwn(link) ? () => revoke.mutate(link.id, { onSuccess: onRevoked }) : undefined}
          />
        ))}
      </ul>
      <CallFailureBanner what={t('joinLinks.revokeFailed')} error={revoke.error} />
    </>
  )
}

type LinkFormProps = {
  watchlistId: string
  /** There is no link to share. */
  isMain?: boolean
  onMade: (link: JoinLink) => void
}

function LinkForm({ watchlistId, isMain = false, onMade }: LinkFormProps) {
  const { t } = useTranslation('watchlist')
  const create = useCreateLink(watchlistId)
  const [days, setDays] = useState(USUAL_LINK.days)
  const [maxUses, setMaxUses] = useState(USUAL_LINK.maxUses)
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate({ days, maxUses }, { onSuccess: onMade })
      }}
    >
      <div className="grid grid-cols-2 gap-3">
        <SelectField
          label={t('joinLinks.validFor')}
          name="days"
          value={days}
          onChange={(value) => setDays(Number(value))}
        >
          {DAYS.map((count) => (
            <option key={count} value={count}>
              {t('joinLinks.days', { count })}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('joinLinks.letsIn')}
          name="maxUses"
          value={maxUses}
          onChange={(value) => setMaxUses(Number(value))}
        >
          {USES.map((count) => (
            <option key={count} value={count}>
              {t('joinLinks.people', { count })}
            </option>
          ))}
        </SelectField>
      </div>
      <Button type="submit" tone={isMain ? 'primary' : 'quiet'} className="self-start" busy={create.isPending}>
        {t('joinLinks.create')}
      </Button>
      <CallFailureBanner what={t('joinLinks.createFailed')} error={create.error} />
    </form>
  )
}

/** An open link, as text and as a QR code. */
function ShownLink({ link: { token, expiresAt, uses, maxUses } }: { link: JoinLink }) {
  const { t } = useTranslation('watchlist')
  const url = `${location.origin}${to.join(token ?? '')}`
  return (
    <div className="flex flex-col gap-3">
      <code className="rounded-control bg-raised px-3 py-2 text-sm break-all">{url}</code>
      <p className="text-sm text-muted">
        {t('joinLinks.until', { date: dayText(expiresAt), count: Math.max(0, maxUses - uses) })}
      </p>
      <div className="flex flex-wrap gap-2">
        <CopyText key={url} tone="primary" text={url} label={t('joinLinks.copy')} doneLabel={t('joinLinks.copied')} />
        {'share' in navigator && (
          <Button
            tone="quiet"
            icon={<Share aria-hidden />}
            // Closing the dialog of the system rejects.
            onClick={() => void navigator.share({ url }).catch(() => {})}
          >
            {t('joinLinks.share')}
          </Button>
        )}
      </div>
      <QrCode text={url} label={t('joinLinks.qr')} className="mx-auto" />
    </div>
  )
}

type LinkRowProps = {
  link: JoinLink
  isBusy: boolean
  onShow: (() => void) | undefined
  onRevoke: (() => void) | undefined
}

function LinkRow({ link, isBusy, onShow, onRevoke }: LinkRowProps) {
  const { t } = useTranslation('watchlist')
  const { createdBy, expiresAt, uses, maxUses } = link
  const texts = { user: createdBy, date: dayText(expiresAt) }
  return (
    <li className="flex items-center gap-3">
      <div className="min-w-0 flex-1">
        <p>{t('joinLinks.used', { count: uses, all: maxUses })}</p>
        <p className="text-sm text-muted">{t('joinLinks.row', texts)}</p>
      </div>
      {onShow !== undefined && (
        <IconButton aria-label={t('joinLinks.show', texts)} icon={<QrIcon aria-hidden />} onClick={onShow} />
      )}
      {onRevoke !== undefined && (
        <IconButton
          aria-label={t('joinLinks.revoke', texts)}
          icon={<Link2Off aria-hidden />}
          disabled={isBusy}
          onClick={onRevoke}
        />
      )}
    </li>
  )
}

/** Takes effect at once, and revokes the links of other members. */
function CreatorsSwitch({ watchlistId, isOwnerOnly }: { watchlistId: string; isOwnerOnly: boolean }) {
  const { t } = useTranslation('watchlist')
  const creators = useSetLinkCreators(watchlistId)
  return (
    <>
      <Switch
        label={t('joinLinks.onlyMe')}
        hint={t('joinLinks.onlyMeHint')}
        name="onlyOwner"
        isOn={creators.isPending ? creators.variables === 'owner' : isOwnerOnly}
        isBusy={creators.isPending}
        onChange={(isOn) => creators.mutate(isOn ? 'owner' : 'members')}
      />
      <CallFailureBanner what={t('joinLinks.creatorsFailed')} error={creators.error} />
    </>
  )
}
