import { Check, Link2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

type CopyState = 'ready' | 'copied' | 'by-hand'

/** Copies an invitation link; where the browser does not let us, it shows it to be copied by hand. */
export function CopyLink({ url }: { url: string }) {
  const { t } = useTranslation('watchlist')
  const [state, setState] = useState<CopyState>('ready')

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url)
      setState('copied')
    } catch {
      setState('by-hand')
    }
  }

  if (state === 'by-hand') {
    return (
      <TextField
        label={t('invite.link')}
        hint={t('invite.copyByHand')}
        name="invitationLink"
        readOnly
        value={url}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field stands where the button was pressed
        autoFocus
        onFocus={({ target }) => target.select()}
      />
    )
  }
  return (
    <Button
      tone="quiet"
      size="small"
      icon={state === 'copied' ? <Check aria-hidden /> : <Link2 aria-hidden />}
      aria-live="polite"
      onClick={() => void copy()}
    >
      {t(state === 'copied' ? 'invite.copied' : 'invite.copy')}
    </Button>
  )
}
