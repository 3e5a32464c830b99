import type { Webhook, WebhookDelivery } from '@marquee/contract/entities/webhook'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { momentText } from '#web/i18n/dates.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { CallFailureBanner, whyFailed } from '#web/api/call-failure.tsx'
import { AskFirst } from '#web/ui/ask-first.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { Unread } from '#web/ui/unread.tsx'

import { useDeleteWebhook, useSwitchWebhook, useTestWebhook, webhookDeliveries } from './queries.ts'

export const KIND_TEXTS = {
  'card.revealed': 'webhooks.kind.cardRevealed',
  'card.decided': 'webhooks.kind.cardDecided',
  'comment.added': 'webhooks.kind.commentAdded',
  'member.joined': 'webhooks.kind.memberJoined',
  'night.planned': 'webhooks.kind.nightPlanned',
  'night.changed': 'webhooks.kind.nightChanged',
  'night.started': 'webhooks.kind.nightStarted',
  'movie.arrived': 'webhooks.kind.movieArrived',
  test: 'webhooks.kind.test',
} as const satisfies Record<WebhookDelivery['kind'], string>

type WebhookRowProps = { watchlistId: string; webhook: Webhook; onDeleted: () => void }

/** A webhook, which can be tested, switched and deleted, with its last messages. */
export function WebhookRow({ watchlistId, webhook, onDeleted }: WebhookRowProps) {
  const { t } = useTranslation('watchlist')
  const { id: webhookId, name, format, host, state } = webhook
  const params = { watchlistId, webhookId }
  const turn = useSwitchWebhook(params)
  const test = useTestWebhook(params)
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="flex flex-col gap-2 rounded-panel border border-line p-3">
      <Switch
        label={name}
        hint={t('webhooks.row', { format: t(`webhooks.formats.${format}`), host })}
        name={`webhook-${webhookId}`}
        isOn={turn.isPending ? turn.variables : state === 'on'}
        isBusy={turn.isPending}
        onChange={(isOn) => turn.mutate(isOn)}
      />
      {state === 'failed' && <Banner tone="error">{t('webhooks.switchedOff', { host })}</Banner>}
      <CallFailureBanner what={t('webhooks.changeFailed')} error={turn.error ?? test.error} />
      <div className="flex flex-wrap gap-2">
        {state === 'on' && (
          <Button
            tone="quiet"
            size="small"
            busy={test.isPending}
            onClick={() => test.mutate(undefined, { onSuccess: () => setOpen(true) })}
          >
            {t('webhooks.test')}
          </Button>
        )}
        <Button
          tone="quiet"
          size="small"
          aria-expanded={isOpen}
          aria-label={t('webhooks.details', { name })}
          onClick={() => setOpen(!isOpen)}
        >
          {t('webhooks.showDetails')}
        </Button>
        <DeleteWebhook params={params} name={name} onDeleted={onDeleted} />
      </div>
      {isOpen && <Messages {...params} />}
    </li>
  )
}

type DeleteWebhookProps = { params: Parameters<typeof useDeleteWebhook>[0]; name: string; onDeleted: () => void }

function DeleteWebhook({ params, name, onDeleted }: DeleteWebhookProps) {
  const { t } = useTranslation('watchlist')
  const remove = useDeleteWebhook(params)
  return (
    <AskFirst
      tone="quiet"
      size="small"
      aria-label={t('webhooks.deleteNamed', { name })}
      label={t('webhooks.delete')}
      title={t('webhooks.deleteTitle', { name })}
      description={t('webhooks.deleteText')}
      confirmLabel={t('webhooks.delete')}
      cancelLabel={t('webhooks.cancel')}
      action={remove}
      failure={whyFailed(t('webhooks.deleteFailed'))}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onDeleted })}
    />
  )
}

function Messages(params: { watchlistId: string; webhookId: string }) {
  const { t } = useTranslation('watchlist')
  const query = useQuery(webhookDeliveries(params))
  const { data } = query
  if (data === undefined) return <Unread query={query} loading={t('webhooks.loading')} failed={t('webhooks.failed')} />
  if (data.length === 0) return <p className="text-sm text-muted">{t('webhooks.noMessages')}</p>
  return (
    <ul className="flex flex-col gap-2 text-sm">
      {data.map((message) => (
        <MessageRow key={message.id} message={message} />
      ))}
    </ul>
  )
}

function MessageRow({ message }: { message: WebhookDelivery }) {
  const { t } = useTranslation('watchlist')
  const { kind, at, status } = message
  const state = t(`webhooks.states.${message.state}`)
  return (
    <li>
      <p>{t('webhooks.message', { kind: t(KIND_TEXTS[kind]), moment: momentText(at) })}</p>
      <p className="text-muted">{status === null ? state : t('webhooks.answer', { state, status })}</p>
    </li>
  )
}
