import type { UseQueryResult } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useId,
  useRef,
  type ComponentProps,
  useState,
} from 'react'

import { useIdentityMessage } from '#web/account/failures.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Banner, RetryBanner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { useAccountChange } from './mutations.ts'

const HeadingContext = createContext<RefObject<HTMLHeadingElement | null>>({ current: null })

type SectionProps = { title: string; children: ReactNode }

/** A panel with sections of the account. */
export function SectionGroup({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <Panel className={classes('flex min-w-0 flex-col divide-y divide-line *:py-5 *:first:pt-0 *:last:pb-0', className)}>
      {children}
    </Panel>
  )
}

/** One section of the account. */
export function Section({ title, children }: SectionProps) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 ref={heading} id={id} tabIndex={-1} className="text-xl focus:outline-none">
        {title}
      </h2>
      <HeadingContext value={heading}>{children}</HeadingContext>
    </section>
  )
}

/**
 * For a part that disappears when its work is done, such as a row with its button. Call the result when the work is
 * done: the focus then moves to the heading of the section, not to the top of the page.
 */
export function useFocusLeftBehind(): () => void {
  const heading = use(HeadingContext)
  const isDone = useRef(false)
  useEffect(
    () => () => {
      if (!isDone.current) return
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
      })
    },
    [heading],
  )
  return () => {
    isDone.current = true
  }
}

type AccountListProps<Item> = {
  query: Pick<UseQueryResult<readonly Item[]>, 'data' | 'isError' | 'refetch'>
  /** The name of the list for screen readers. */
  label: string
  /** The text of an empty list. */
  none?: string
  failed: string
  row: (item: Item) => ReactNode
}

/** A list of the account: its rows, a text if it is empty, or a failure. */
export function AccountList<Item>({ query, label, none, failed, row }: AccountListProps<Item>) {
  const { data: items, isError, refetch } = query
  return (
    <>
      {isError && <RetryBanner query={{ refetch }}>{failed}</RetryBanner>}
      {!isError && items === undefined && <Skeleton className="h-16" />}
      {items?.length === 0 && none !== undefined && <p className="text-muted">{none}</p>}
      {items !== undefined && items.length > 0 && (
        <ul aria-label={label} className="flex flex-col divide-y divide-line">
          {items.map(row)}
        </ul>
      )}
    </>
  )
}

type AccountRowProps = {
  name: string
  /** When it was created or used. */
  times?: ReactNode
  /** Its buttons. */
  children: ReactNode
}

/** One row of such a list. */
export function AccountRow({ name, times, children }: AccountRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="flex min-w-0 flex-1 basis-44 flex-col">
        <span className="truncate font-semibold">{name}</span>
        {times !== undefined && <span className="text-sm text-muted">{times}</span>}
      </div>
      <div className="flex flex-wrap items-center gap-2">{children}</div>
    </li>
  )
}

type ConfirmedChangeProps = Omit<ComponentProps<typeof Button>, 'tone' | 'busy' | 'onClick' | 'children'> & {
  /** The action, on the button and in the dialog. */
  label: string
  question: string
  /** What will be lost. */
  lost: string
  change: () => Promise<unknown>
}

/** A button for an action that loses something. It asks first. */
export function ConfirmedChange({ label, question, lost, change, ...button }: ConfirmedChangeProps) {
  const { t } = useTranslation('auth')
  const messageOf = useIdentityMessage()
  const [isAsking, setAsking] = useState(false)
  const leaveFocus = useFocusLeftBehind()
  const action = useAccountChange(async () => {
    await change()
    leaveFocus()
    setAsking(false)
  })
  return (
    <>
      <Button {...button} tone="quiet" busy={action.isPending && !isAsking} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={question}
        description={lost}
        confirmLabel={label}
        cancelLabel={t('security.cancel')}
        action={action}
        failure={(error) => messageOf(error, 'errors.security')}
        onConfirm={() => action.mutate()}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}

/** Why a change of the account failed, with the message of the identity service if it gave one. */
export function ChangeFailure({ error }: { error: unknown }) {
  const messageOf = useIdentityMessage()
  if (error === null) return null
  return <Banner tone="error">{messageOf(error, 'errors.security')}</Banner>
}
