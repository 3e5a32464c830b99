import type { MediaServerFaultKind } from '@marquee/contract/entities/media-server'
import { CircleAlert } from 'lucide-react'
import type { ComponentProps } from 'react'

import { whyFailed } from '#web/api/call-failure.tsx'
import { momentText } from '#web/i18n/dates.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { AskFirst } from '#web/ui/ask-first.tsx'
import { Button } from '#web/ui/button.tsx'

import { useFaultText, useWhenText } from './server-texts.ts'

type ServerTroubleProps = { name: string; seenAt: string | null; fault: MediaServerFaultKind | null }

/** When a server was last seen, and what is wrong with it. */
export function ServerTrouble({ name, seenAt, fault }: ServerTroubleProps) {
  const { t } = useTranslation('watchlist')
  const whenText = useWhenText()
  const faultText = useFaultText()
  return (
    <>
      <span className="flex items-start gap-1.5 text-danger">
        <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span title={seenAt === null ? undefined : momentText(seenAt)}>
          {seenAt === null
            ? t('mediaServers.neverSeen', { name })
            : t('mediaServers.lastSeen', { name, when: whenText(seenAt) })}
        </span>
      </span>
      {fault !== null && <span>{faultText(fault)}</span>}
    </>
  )
}

type OwnerButtonsProps = {
  /** For the button that opens the form. */
  ref: ComponentProps<typeof Button>['ref']
  name: string
  onChange: () => void
  disconnect: ComponentProps<typeof AskFirst>['action']
  /** What is deleted with the connection. */
  lost: string
  onDisconnect: () => void
}

/** Opens the form that changes a server, or disconnects it after a question. */
export function OwnerButtons({ ref, name, onChange, disconnect, lost, onDisconnect }: OwnerButtonsProps) {
  const { t } = useTranslation('watchlist')
  return (
    <>
      <Button
        ref={ref}
        tone="quiet"
        size="small"
        aria-label={t('mediaServers.changeNamed', { name })}
        onClick={onChange}
      >
        {t('mediaServers.change')}
      </Button>
      <AskFirst
        tone="quiet"
        size="small"
        aria-label={t('mediaServers.disconnectNamed', { name })}
        label={t('mediaServers.disconnect')}
        title={t('mediaServers.disconnectTitle', { name })}
        description={lost}
        confirmLabel={t('mediaServers.disconnect')}
        cancelLabel={t('mediaServers.cancel')}
        action={disconnect}
        failure={whyFailed(t('mediaServers.disconnectFailed'))}
        onConfirm={onDisconnect}
      />
    </>
  )
}
