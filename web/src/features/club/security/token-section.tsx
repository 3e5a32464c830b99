import { MAX_TOKEN_NAME_LENGTH } from '@marquee/contract/limits'
import type { NewPersonalToken, PersonalToken, TokenScope } from '@marquee/contract/entities/personal-token'
import { TOKEN_DAYS } from '@marquee/contract/rules/personal-token'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { dayText } from '#web/i18n/dates.ts'
import { RelativeTime } from '#web/i18n/relative-time.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyText } from '#web/ui/copy-text.tsx'
import { focusSoon } from '#web/ui/focus.ts'
import { Segmented } from '#web/ui/segmented.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { ShortForm } from '#web/ui/short-form.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { OnlyFresh } from './fresh-sign-in.tsx'
import { revokeToken, useCreateToken } from './mutations.ts'
import { ownTokens } from './queries.ts'
import { AccountList, AccountRow, ChangeFailure, ConfirmedChange, Section } from './section.tsx'

/** The personal access tokens of the user. A new one is shown once. */
export function TokenSection() {
  const { t } = useTranslation('auth')
  const tokens = useQuery(ownTokens)
  const [isCreating, setCreating] = useState(false)
  const [made, setMade] = useState<NewPersonalToken>()
  const createButton = useRef<HTMLButtonElement>(null)

  function close(token?: NewPersonalToken) {
    setCreating(false)
    setMade(token)
    if (token === undefined) focusSoon(createButton)
  }

  return (
    <Section title={t('security.tokens.title')}>
      <p className="text-muted">
        {t('security.tokens.description')}{' '}
        <a href="/api/docs" className="underline">
          {t('security.tokens.docs')}
        </a>
      </p>
      {made !== undefined && tokens.data?.some(({ id }) => id === made.id) && <MadeToken key={made.id} made={made} />}
      <AccountList
        query={tokens}
        label={t('security.tokens.listLabel')}
        none={t('security.tokens.none')}
        failed={t('security.tokens.failed')}
        row={(token) => <TokenRow key={token.id} token={token} />}
      />
      <OnlyFresh>
        {isCreating ? (
          <TokenForm onClosed={close} />
        ) : (
          <Button ref={createButton} tone="primary" className="self-start" onClick={() => setCreating(true)}>
            {t('security.tokens.new')}
          </Button>
        )}
      </OnlyFresh>
    </Section>
  )
}

function TokenForm({ onClosed }: { onClosed: (made?: NewPersonalToken) => void }) {
  const { t } = useTranslation('auth')
  const create = useCreateToken()
  const [name, setName] = useState('')
  const [scope, setScope] = useState<TokenScope>('read')
  const [days, setDays] = useState<(typeof TOKEN_DAYS)[number]>(90)
  return (
    <ShortForm
      submitLabel={t('security.tokens.create')}
      cancelLabel={t('security.cancel')}
      isBusy={create.isPending}
      isComplete={name.trim() !== ''}
      onSubmit={() => create.mutate({ name, scope, days }, { onSuccess: onClosed })}
      onCancel={() => onClosed()}
    >
      <TextField
        label={t('security.tokens.name')}
        name="tokenName"
        autoComplete="off"
        required
        maxLength={MAX_TOKEN_NAME_LENGTH}
        placeholder={t('security.tokens.namePlaceholder')}
        value={name}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field replaces the button that was pressed
        autoFocus
        onChange={({ target }) => setName(target.value)}
      />
      <Segmented
        legend={t('security.tokens.scope')}
        name="scope"
        value={scope}
        options={[
          { value: 'read', label: t('security.tokens.scopes.read') },
          { value: 'write', label: t('security.tokens.scopes.write') },
        ]}
        onChange={setScope}
      />
      <SelectField
        label={t('security.tokens.validFor')}
        name="days"
        value={days ?? ''}
        onChange={(value) => setDays(TOKEN_DAYS.find((count) => String(count ?? '') === value) ?? null)}
      >
        {TOKEN_DAYS.map((count) => (
          <option key={count} value={count ?? ''}>
            {count === null ? t('security.tokens.forever') : t('security.tokens.days', { count })}
          </option>
        ))}
      </SelectField>
      <ChangeFailure error={create.error} />
    </ShortForm>
  )
}

function MadeToken({ made: { name, token } }: { made: NewPersonalToken }) {
  const { t } = useTranslation('auth')
  return (
    <div className="flex flex-col gap-3 rounded-panel border border-success p-4">
      {/* The form is gone. */}
      <p ref={takeFocus} tabIndex={-1} className="focus:outline-none">
        {t('security.tokens.shown', { name })}
      </p>
      <code data-testid="personal-token" className="rounded-control bg-raised px-3 py-2 text-sm break-all">
        {token}
      </code>
      <div>
        <CopyText text={token} label={t('security.tokens.copy')} doneLabel={t('security.tokens.copied')} />
      </div>
    </div>
  )
}

function takeFocus(element: HTMLElement | null): void {
  element?.focus()
}

function TokenRow({ token }: { token: PersonalToken }) {
  const { t } = useTranslation('auth')
  const { id, name, scope, createdAt, usedAt, expiresAt } = token
  const ends = useEnd(expiresAt)
  const timesWith = (used: string) =>
    t('security.tokens.times', {
      scope: t(`security.tokens.scopes.${scope}`),
      made: t('security.tokens.made', { day: dayText(createdAt) }),
      used,
      ends,
    })
  return (
    <AccountRow
      name={name}
      times={
        usedAt === null ? (
          timesWith(t('security.tokens.neverUsed'))
        ) : (
          <RelativeTime iso={usedAt}>{(moment) => timesWith(t('security.tokens.used', { moment }))}</RelativeTime>
        )
      }
    >
      <ConfirmedChange
        size="small"
        label={t('security.tokens.revoke')}
        aria-label={t('security.tokens.revokeNamed', { name })}
        question={t('security.tokens.revokeTitle', { name })}
        lost={t('security.tokens.revokeText')}
        change={async () => revokeToken(id)}
      />
    </AccountRow>
  )
}

function useEnd(expiresAt: string | null): string {
  const { t } = useTranslation('auth')
  const [now] = useState(() => new Date().toISOString())
  if (expiresAt === null) return t('security.tokens.forever')
  return t(expiresAt <= now ? 'security.tokens.expired' : 'security.tokens.expires', { day: dayText(expiresAt) })
}
