import { useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'

import {
  type IdentityFailure,
  identityFailure,
  isTakenEmail,
  readRefusals,
  type RefusedInput,
  useIdentityMessage,
} from '#web/account/failures.ts'
import { loadIdentity } from '#web/session/session.ts'

import { type AuthKey, type Rule, resolverOf } from './rules.ts'

export type AuthForm<V extends FieldValues> = {
  rules: readonly Rule<V>[]
  defaultValues: DefaultValues<V>
  /** The text for a failure that says nothing itself. */
  fallback: AuthKey
  /** The fields of this form that hold what the service may refuse. */
  fields?: Readonly<Partial<Record<RefusedInput, Path<V>>>>
  /** Gets the actions of the identity service beside the values; what it rejects with becomes `failure`. */
  onSubmit: (values: V, identity: Awaited<ReturnType<typeof loadIdentity>>) => Promise<void>
}

function preload() {
  // Without a network this fails, and so does the submit, which says so.
  loadIdentity().catch(() => undefined)
}

/**
 * A form of the account area: checks its rules, moves the focus to the first wrong field, and keeps what the identity
 * service refused until the user changes something. A refusal of one input is shown at its field. Any other is the
 * `failure`, which each screen shows in one place.
 */
export function useAuthForm<V extends FieldValues>(given: AuthForm<V>) {
  const { rules, defaultValues, fallback, fields = {}, onSubmit } = given
  const { t } = useTranslation(['auth', 'common'])
  const messageOf = useIdentityMessage()
  const [failure, setFailure] = useState<IdentityFailure>()
  const form = useForm<V>({ defaultValues, resolver: resolverOf(rules, t) })

  const clearFailure = () => setFailure(undefined)
  const fail = (error: unknown) => {
    const failed = identityFailure(error, t(fallback))
    const atFields = readRefusals(failed).flatMap((refusal) => {
      const field = refusal.about && fields[refusal.about]
      return field === undefined ? [] : [{ ...refusal, field }]
    })
    for (const [index, { field, text }] of atFields.entries()) {
      const message = text && { message: t(field === 'email' ? 'validation.email' : text) }
      form.setError(field, { type: 'refused', ...message }, { shouldFocus: index === 0 })
    }
    const isShown = atFields.length > 0 && atFields.every(({ keepsMessage }) => keepsMessage !== true)
    if (!isShown) setFailure({ ...failed, message: messageOf(error, fallback) })
  }
  const attempt = async (act: () => Promise<void>) => {
    clearFailure()
    try {
      await act()
    } catch (error) {
      fail(error)
    }
  }
  const submit = form.handleSubmit(async (values) => attempt(async () => onSubmit(values, await loadIdentity())))

  return {
    register: form.register,
    getValues: form.getValues,
    errors: form.formState.errors,
    isBusy: form.formState.isSubmitting,
    isTried: form.formState.isSubmitted,
    /** Does something else with one field alone, if that is right; fails like a submit. */
    submitField: async (field: Path<V>, act: (value: string) => Promise<void>) => {
      if (await form.trigger(field, { shouldFocus: true })) await attempt(async () => act(form.getValues(field)))
    },
    /** Empties a field and moves the focus there. */
    refill: (field: Path<V>) => {
      form.resetField(field)
      form.setFocus(field)
    },
    failure: failure?.message,
    isEmailTaken: failure !== undefined && isTakenEmail(failure),
    clearFailure,
    /** Spread over the `form` element: our texts appear, not the browser's. */
    formProps: { noValidate: true, onSubmit: submit, onInput: clearFailure, onFocus: preload },
  }
}
