import { type CheckableReceipt, checkReceipt, type Hashing, isOfOlderKind } from '@marquee/contract/rules/check-receipt'
import { useMutation } from '@tanstack/react-query'
import { Check, ShieldCheck, X } from 'lucide-react'

import { hasSeenHashes } from '#web/api/draw.ts'
import { hexOf } from '#web/api/idempotency.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

const hashing: Hashing = {
  sha256: async (data) => {
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data
    return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  },
  hmac: async (key, message) => {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign'])
    return new Uint8Array(await crypto.subtle.sign('HMAC', imported, message))
  },
}

/** Computes a draw again, and compares it with what this device saw if it took part. */
async function checkHere(receipt: CheckableReceipt) {
  const seen = hasSeenHashes(receipt.watchlistId, receipt.drawNumber, receipt.hashes)
  const steps = await checkReceipt(receipt, hashing)
  return seen === undefined ? steps : [...steps, { step: 'seen' as const, isRight: seen }]
}

/** Computes a draw again in the browser, and explains each step. */
export function ReceiptCheck({ receipt }: { receipt: CheckableReceipt }) {
  const { t } = useTranslation('moviecard')
  const {
    mutate,
    data: steps,
    isPending,
  } = useMutation({
    mutationFn: async () => checkHere(receipt),
    networkMode: 'always',
  })
  // Browsers have no WebCrypto without HTTPS.
  if (!globalThis.isSecureContext) return <Banner tone="info">{t('draws.notSecure')}</Banner>
  const isRight = steps?.every((step) => step.isRight)
  return (
    <div className="flex flex-col gap-4">
      <Button
        tone="primary"
        icon={<ShieldCheck aria-hidden />}
        className="self-start"
        busy={isPending}
        onClick={() => mutate()}
      >
        {isPending ? t('draws.checking') : t('draws.check')}
      </Button>
      {isRight !== undefined && (
        <Banner tone={isRight ? 'success' : 'error'}>{isRight ? t('draws.right') : t('draws.wrong')}</Banner>
      )}
      {isOfOlderKind(receipt) && <Banner tone="info">{t('draws.older')}</Banner>}
      {steps !== undefined && (
        <ol className="flex flex-col gap-2">
          {steps.map((step) => (
            <li key={step.step} className="flex items-start gap-2.5">
              {step.isRight ? (
                <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-success" />
              ) : (
                <X aria-hidden className="mt-0.5 size-5 shrink-0 text-danger" />
              )}
              <span>
                <span className="sr-only">{step.isRight ? t('draws.isRight') : t('draws.isWrong')} </span>
                {t(`draws.steps.${step.step}`)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
