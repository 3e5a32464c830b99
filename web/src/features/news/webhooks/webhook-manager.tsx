import '#web/i18n/webhook-texts.ts'
import { MAX_WEBHOOK_NAME_LENGTH, MAX_WEBHOOK_URL_LENGTH } from '@marquee/contract/limits'
import {
  type NewWebhook,
  type Webhook,
  WEBHOOK_FORMATS,
  WEBHOOK_KINDS,
  type WebhookFormat,
  type WebhookKind,
} from '@marquee/contract/entities/webhook'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { features } from '#web/config.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { CopyText } from '#web/ui/copy-text.tsx'
import { focusSoon } from '#web/ui/focus.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { ShortForm } from '#web/ui/short-form.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { Unread } from '#web/ui/unread.tsx'
import { useOpener } from '#web/ui/use-opener.ts'

import { useCreateWebhook, webhooks } from './queries.ts'
import { KIND_TEXTS, WebhookRow } from './webhook-row.tsx'

/** Creates webhooks and lists them. Only the reply to a creation has the secret, so it shows once. */
export function WebhookManager({ watchlistId }: { watchlistId: string }) {
  const { t } = useTranslation('watchlist')
  const query = useQuery(webhooks(watchlistId))
  const { data } = query
  const { isOpen, open, close, ref } = useOpener<HTMLDivElement>()
  const [made, setMade] = useState<NewWebhook>()

  if (data === undefined) return <Unread query={query} loading={t('webhooks.loading')} failed={t('webhooks.failed')} />
  const end = (webhook?: NewWebhook) => {
    close()
    setMade(webhook)
  }
  return (
    <div ref={ref} tabIndex={-1} className="flex flex-col gap-4 focus:outline-none">
      <p className="text-sm text-muted">{t('webhooks.hint')}</p>
      {made?.secret && data.some(({ id }) => id === made.id) && <Secret name={made.name} secret={made.secret} />}
      {data.length > 0 && (
        <ul aria-label={t('webhooks.listLabel')} className="flex flex-col gap-4">
          {data.map((webhook: Webhook) => (
            <WebhookRow key={webhook.id} watchlistId={watchlistId} webhook={webhook} onDeleted={() => focusSoon(ref)} />
          ))}
        </ul>
      )}
      {isOpen ? (
        <WebhookForm watchlistId={watchlistId} onClosed={end} />
      ) : (
        <Button tone="quiet" className="self-start" onClick={open}>
          {t('webhooks.new')}
        </Button>
      )}
    </div>
  )
}

function Secret({ name, secret }: { name: string; secret: string }) {
  const { t } = useTranslation('watchlist')
  return (
    <div className="flex flex-col gap-3 rounded-panel border border-success p-3">
      <output className="text-sm">{t('webhooks.secret', { name })}</output>
      <code className="rounded-control bg-raised px-3 py-2 text-sm break-all">{secret}</code>
      <div>
        <CopyText text={secret} label={t('webhooks.copy')} doneLabel={t('webhooks.copied')} />
      </div>
    </div>
  )
}

type WebhookFormProps = { watchlistId: string; onClosed: (made?: NewWebhook) => void }

function WebhookForm({ watchlistId, onClosed }: WebhookFormProps) {
  const { t } = useTranslation('watchlist')
  const create = useCreateWebhook(watchlistId)
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [format, setFormat] = useState<WebhookFormat>('discord')
  const [kinds, setKinds] = useState<readonly WebhookKind[]>(['card.revealed', 'night.planned'])
  return (
    <ShortForm
      submitLabel={t('webhooks.create')}
      cancelLabel={t('webhooks.cancel')}
      isBusy={create.isPending}
      isComplete={name.trim() !== '' && url.trim() !== '' && kinds.length > 0}
      onSubmit={() => create.mutate({ name, url, format, kinds: [...kinds] }, { onSuccess: onClosed })}
      onCancel={() => onClosed()}
    >
      <TextField
        label={t('webhooks.name')}
        name="webhookName"
        autoComplete="off"
        required
        maxLength={MAX_WEBHOOK_NAME_LENGTH}
        value={name}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field replaces the button that was pressed
        autoFocus
        onChange={({ target }) => setName(target.value)}
      />
      <FormatField format={format} onChange={setFormat} />
      <TextField
        label={t('webhooks.url')}
        name="url"
        type="url"
        autoComplete="off"
        required
        maxLength={MAX_WEBHOOK_URL_LENGTH}
        placeholder="https://"
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <KindFields kinds={kinds} onChange={setKinds} />
      <CallFailureBanner what={t('webhooks.createFailed')} error={create.error} />
    </ShortForm>
  )
}

type FormatFieldProps = { format: WebhookFormat; onChange: (format: WebhookFormat) => void }

function FormatField({ format, onChange }: FormatFieldProps) {
  const { t } = useTranslation('watchlist')
  return (
    <SelectField
      label={t('webhooks.format')}
      name="format"
      value={format}
      onChange={(value) => onChange(WEBHOOK_FORMATS.find((one) => one === value) ?? 'standard')}
    >
      {WEBHOOK_FORMATS.map((one) => (
        <option key={one} value={one}>
          {t(`webhooks.formats.${one}`)}
        </option>
      ))}
    </SelectField>
  )
}

/** Movies arrive only where they can be asked for. */
const offeredKinds = () => WEBHOOK_KINDS.filter((kind) => kind !== 'movie.arrived' || features().mediaServers === true)

type KindFieldsProps = { kinds: readonly WebhookKind[]; onChange: (kinds: readonly WebhookKind[]) => void }

/** What the webhook reports. */
function KindFields({ kinds, onChange }: KindFieldsProps) {
  const { t } = useTranslation('watchlist')
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-semibold">{t('webhooks.kinds')}</legend>
      {offeredKinds().map((kind) => (
        <Checkbox
          key={kind}
          label={t(KIND_TEXTS[kind])}
          name={kind}
          checked={kinds.includes(kind)}
          onChange={({ target }) =>
            onChange(target.checked ? [...kinds, kind] : kinds.filter((other) => other !== kind))
          }
        />
      ))}
    </fieldset>
  )
}
