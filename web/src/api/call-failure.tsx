import { Banner, FailureText } from '#web/ui/banner.tsx'

import { useReason } from './use-reason.ts'

type CallFailureProps = {
  what: string
  error: unknown
  /** See useReason. */
  kind?: string | undefined
}

/** What failed, and why. */
export function CallFailure({ what, error, kind }: CallFailureProps) {
  const reason = useReason()
  return <FailureText what={what} why={reason(error, kind)} />
}

/** The same as the `failure` of a question, such as ConfirmDialog. */
export function whyFailed(what: string, kindOf?: (error: unknown) => string) {
  return (error: Error) => <CallFailure what={what} error={error} kind={kindOf?.(error)} />
}

/** The same as a message of its own. Nothing without an error. */
export function CallFailureBanner(failure: CallFailureProps) {
  if (failure.error === null) return null
  return (
    <Banner tone="error">
      <CallFailure {...failure} />
    </Banner>
  )
}
