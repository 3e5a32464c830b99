import { MIN_COUNTED_BALLOTS } from '@marquee/contract/limits'
import type { NightVoteState } from '@marquee/contract/entities/vote'
import { Ban } from 'lucide-react'
import { useRef, useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { focusSoon } from '#web/ui/focus.ts'

import { NightFailureText } from './night-parts.tsx'
import type { useVetoCard } from './vote-queries.ts'

type VetoSectionProps = {
  state: NightVoteState
  /** How many people are at the night. */
  present: number
  isHere: boolean
  veto: Pick<ReturnType<typeof useVetoCard>, 'mutate' | 'reset' | 'error' | 'isPending'>
  vetoesLeft: string
}

/** The movies drawn tonight that are not decided yet. Those who are here can veto them, after a question. */
export function VetoSection({ state, present, isHere, veto, vetoesLeft }: VetoSectionProps) {
  const { t } = useTranslation('watchlist')
  const [asked, setAsked] = useState<NightVoteState['revealed'][number]>()
  const [isAsking, setAsking] = useState(false)
  const section = useRef<HTMLDivElement>(null)
  const { revealed, wasVetoed } = state
  const isEasyToGuess = present < MIN_COUNTED_BALLOTS
  return (
    <div ref={section} tabIndex={-1} className="flex flex-col gap-2 focus:outline-none">
      <output className="font-semibold">{wasVetoed && t('night.veto.used')}</output>
      {revealed.length > 0 && (
        <ul className="flex flex-col gap-2">
          {revealed.map((card) => (
            <li key={card.cardId} className="flex flex-wrap items-center gap-x-3 gap-y-1 wrap-anywhere">
              <span>
                {card.title}
                <span className="text-muted">
                  {' · '}
                  {t('night.draw.undecided')}
                </span>
              </span>
              {isHere && state.vetoesLeft > 0 && (
                <Button
                  tone="quiet"
                  size="small"
                  icon={<Ban aria-hidden />}
                  aria-label={t('night.veto.useFor', { title: card.title })}
                  onClick={() => {
                    setAsked(card)
                    setAsking(true)
                  }}
                >
                  {t('night.veto.use')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {isHere && revealed.length > 0 && state.vetoesLeft === 0 && <p className="text-sm text-muted">{vetoesLeft}</p>}
      <ConfirmDialog
        isOpen={isAsking}
        title={t('night.veto.sure', { title: asked?.title })}
        description={[t('night.veto.sureWhy'), ...(isEasyToGuess ? [t('night.vote.fewPeople')] : []), vetoesLeft].join(
          ' ',
        )}
        confirmLabel={t('night.veto.use')}
        cancelLabel={t('night.veto.keep')}
        action={veto}
        failure={(error) => <NightFailureText what={t('night.veto.failed')} error={error} />}
        onConfirm={() => {
          if (asked === undefined) return
          veto.mutate(asked.cardId, {
            onSuccess: () => {
              setAsking(false)
              focusSoon(section)
            },
          })
        }}
        onCancel={() => setAsking(false)}
      />
    </div>
  )
}
