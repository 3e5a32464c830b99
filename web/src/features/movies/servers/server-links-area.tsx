import type { MediaClaim, MediaHook, MediaLink } from '@marquee/contract/entities/media-link'
import type { MediaServer } from '@marquee/contract/entities/media-server'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { numberText } from '#web/i18n/numbers.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyText } from '#web/ui/copy-text.tsx'
import { focusSoon } from '#web/ui/focus.ts'

import { LinkForm } from './link-forms.tsx'
import { mediaLinks, type ServerParams, useAnswerClaim, useMakeHook, useUnlink } from './link-queries.ts'
import { useWhenText } from './server-texts.ts'

type LinksProps = { params: ServerParams; server: MediaServer; isOwner: boolean }

/** The user of a server whom the caller has linked, what waits for them, and for the owner the address for reports. */
export function ServerLinksArea({ params, server, isOwner }: LinksProps) {
  const { data } = useQuery(mediaLinks(params.watchlistId))
  if (!data) return null
  const { serverId } = params
  return (
    <div className="mt-1 flex flex-col divide-y divide-line border-t border-line *:py-3 *:last:pb-0">
      <OwnLink params={params} server={server} link={data.links.find((one) => one.serverId === serverId)} />
      {data.claims
        .filter((claim) => claim.serverId === serverId)
        .map((claim) => (
          <Claim key={claim.username} params={params} claim={claim} />
        ))}
      {isOwner && <Hook params={params} server={server} hook={data.hooks.find((one) => one.serverId === serverId)} />}
    </div>
  )
}

type OwnLinkProps = Omit<LinksProps, 'isOwner'> & { link: MediaLink | undefined }

function OwnLink({ params, server, link }: OwnLinkProps) {
  const { t } = useTranslation('watchlist')
  const unlink = useUnlink(params)
  const [isLinking, setLinking] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const { name, kind } = server
  const close = () => {
    setLinking(false)
    // A code may be entered while the member is elsewhere on the page.
    const { activeElement, body } = document
    if (activeElement === body || place.current?.contains(activeElement) === true) focusSoon(place)
  }
  return (
    <div ref={place} tabIndex={-1} className="flex flex-col gap-2 focus:outline-none">
      <output className="text-sm wrap-anywhere">
        {link ? t(stateOf(link), { name, user: link.name }) : t('mediaServers.links.hint')}
      </output>
      <CallFailureBanner what={t('mediaServers.links.unlinkFailed')} error={unlink.error} />
      {isLinking ? (
        <LinkForm params={params} kind={kind} onClosed={close} />
      ) : (
        <div className="flex flex-wrap gap-2">
          {(link === undefined || link.state === 'ended') && (
            <Button
              tone="quiet"
              size="small"
              aria-label={t('mediaServers.links.linkNamed', { name })}
              onClick={() => setLinking(true)}
            >
              {t(link ? 'mediaServers.links.again' : 'mediaServers.links.link')}
            </Button>
          )}
          {link && (
            <Button
              tone="quiet"
              size="small"
              aria-label={t('mediaServers.links.unlinkNamed', { name })}
              busy={unlink.isPending}
              onClick={() => unlink.mutate(undefined, { onSuccess: () => focusSoon(place) })}
            >
              {t('mediaServers.links.unlink')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function stateOf({ state, isSent }: MediaLink) {
  if (state === 'waiting') return 'mediaServers.links.waiting'
  if (state === 'ended') return 'mediaServers.links.ended'
  return isSent ? 'mediaServers.links.linked' : 'mediaServers.links.linkedIn'
}

/** A member says which account of Plex is theirs. */
function Claim({ params, claim: { username, accountId, name } }: { params: ServerParams; claim: MediaClaim }) {
  const { t } = useTranslation('watchlist')
  const answer = useAnswerClaim(params)
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm wrap-anywhere">{t('mediaServers.links.claimText', { user: username, account: name })}</p>
      <CallFailureBanner what={t('mediaServers.links.answerFailed')} error={answer.error} />
      <div className="flex flex-wrap gap-2">
        {([true, false] as const).map((isConfirmed) => (
          <Button
            key={String(isConfirmed)}
            tone="quiet"
            size="small"
            disabled={answer.isPending}
            aria-label={t(isConfirmed ? 'mediaServers.links.confirmNamed' : 'mediaServers.links.refuseNamed', {
              user: username,
            })}
            onClick={() => answer.mutate({ username, accountId, isConfirmed })}
          >
            {t(isConfirmed ? 'mediaServers.links.confirm' : 'mediaServers.links.refuse')}
          </Button>
        ))}
      </div>
    </div>
  )
}

type HookProps = Omit<LinksProps, 'isOwner'> & { hook: MediaHook | undefined }

/** The address to which the server reports what was played. It is shown once, when it is made. */
function Hook({ params, server: { name, kind }, hook }: HookProps) {
  const { t } = useTranslation('watchlist')
  const make = useMakeHook(params)
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className="text-muted">{hook ? <Reports hook={hook} /> : t('mediaServers.links.hook.hint')}</p>
      <CallFailureBanner what={t('mediaServers.links.hook.failed')} error={make.error} />
      {make.data && (
        <output className="flex flex-col gap-2">
          <code dir="ltr" className="wrap-anywhere select-all">
            {make.data.url}
          </code>
          <span>
            <CopyText
              text={make.data.url}
              label={t('mediaServers.links.hook.copy')}
              doneLabel={t('mediaServers.links.hook.copied')}
            />
          </span>
          <span>
            {t(`mediaServers.links.hook.${kind}`)} {t('mediaServers.links.hook.once')}
          </span>
        </output>
      )}
      <Button
        tone="quiet"
        size="small"
        className="self-start"
        aria-label={t(hook ? 'mediaServers.links.hook.renewNamed' : 'mediaServers.links.hook.makeNamed', { name })}
        busy={make.isPending}
        onClick={() => make.mutate()}
      >
        {t(hook ? 'mediaServers.links.hook.renew' : 'mediaServers.links.hook.make')}
      </Button>
    </div>
  )
}

/** When a server reported last, and what became of its reports. What did not occur is left out. */
function Reports({ hook: { lastAt, taken, unlinked, unmatched } }: { hook: MediaHook }) {
  const { t } = useTranslation('watchlist')
  const whenText = useWhenText()
  if (lastAt === null) return t('mediaServers.links.hook.none')
  return [
    t('mediaServers.links.hook.last', { when: whenText(lastAt), taken: numberText(taken) }),
    unlinked > 0 && t('mediaServers.links.hook.unlinked', { number: numberText(unlinked) }),
    unmatched > 0 && t('mediaServers.links.hook.unmatched', { number: numberText(unmatched) }),
  ]
    .filter((sentence) => sentence !== false)
    .join(' ')
}
