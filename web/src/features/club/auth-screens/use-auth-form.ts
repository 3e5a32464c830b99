import { useState } from 'react'
import type { DefaultValues, FieldValues, Path } from 'react-hook-form'

import {
  type IdentityFailure,
  identityFailure,
  isTakenEmail,
  readRefusals,
  type RefusedInput,
  useIdentityMessage,
} from '#web/account/failures.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { loadIdentity } from '#web/session/session.ts'
import { useForm } from '#web/ui/use-form.ts'

import { type AuthKey, type Rule, resolverOf } from './rules.ts'

export type AuthForm<V extends FieldValues> = {
  rules: readonly Rule<V>[]
  defaultValues: DefaultValues<V>
  /** The text for a failure without a message. */
  fallback: AuthKey
  /** The fields of this form for inputs that the service may refuse. */
  fields?: Readonly<Partial<Record<RefusedInput, Path<V>>>>
  /** Gets the values and the actions of the identity service. Its error becomes `failure`. */
  onSubmit: (values: V, identity: Awaited<ReturnType<typeof loadIdentity>>) => Promise<void>
}

function preload() {
  // Without a network the submit fails too, and says so.
  loadIdentity().catch(() => undefined)
}

/**
 * A form of the account screens. It checks its rules, and moves the focus to the first wrong field. A refusal of an
 * input is shown at its field. Any other is `failure`, which each screen shows in one place until the user changes
 * something.
 */
export function useAuthForm<V extends FieldValues>(given: AuthForm<V>) {
  const { rules, defaultValues, fallback, fields = {}, onSubmit } = given
  const { t } = useTranslation('auth')
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
    const isShown =
      atFields.length > 0 &&
      // The message about a wrong password speaks of a sign-in.
      atFields.every(({ about, keepsMessage }) => keepsMessage !== true || about === 'currentPassword')
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
    /** Does something else with one field, if it is valid. Fails like a submit. */
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
    /** Props of the `form` element. `noValidate` replaces the texts of the browser by ours. */
    formProps: { noValidate: true, onSubmit: submit, onInput: clearFailure, onFocus: preload },
  }
}
