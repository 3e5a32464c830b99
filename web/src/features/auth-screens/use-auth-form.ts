import { useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'

import { loadIdentity } from '#web/session/identity-loader.ts'
import { identityFailure } from '#web/session/identity-failure.ts'

import { type AuthKey, type Rule, resolverOf } from './rules.ts'

type AuthForm<V extends FieldValues> = {
  rules: readonly Rule<V>[]
  defaultValues: DefaultValues<V>
  /** The text for a failure that says nothing itself (spec section 8). */
  fallback: AuthKey
  /** Gets the actions of the identity service beside the values; what it rejects with becomes `failure`. */
  onSubmit: (values: V, identity: Awaited<ReturnType<typeof loadIdentity>>) => Promise<void>
}

function preload() {
  // Without a network this fails, and so does the submit, which says so.
  loadIdentity().catch(() => undefined)
}

/**
 * A form of the account area: checks its rules, moves focus to the first wrong field, and keeps what the identity
 * service refused until the person changes something. `failure` is shown in one place, which each screen chooses.
 */
export function useAuthForm<V extends FieldValues>({ rules, defaultValues, fallback, onSubmit }: AuthForm<V>) {
  const { t } = useTranslation('auth')
  const [failure, setFailure] = useState<string>()
  const form = useForm<V>({ defaultValues, resolver: resolverOf(rules, t) })

  const clearFailure = () => setFailure(undefined)
  const attempt = async (act: () => Promise<void>) => {
    clearFailure()
    try {
      await act()
    } catch (error) {
      setFailure(identityFailure(error, t(fallback)).message)
    }
  }
  const submit = form.handleSubmit(async (values) => attempt(async () => onSubmit(values, await loadIdentity())))

  return {
    register: form.register,
    errors: form.formState.errors,
    isBusy: form.formState.isSubmitting,
    isTried: form.formState.isSubmitted,
    /** Does something else with one field alone, if that is right; fails like a submit. */
    submitField: async (field: Path<V>, act: (value: string) => Promise<void>) => {
      if (await form.trigger(field, { shouldFocus: true })) await attempt(async () => act(form.getValues(field)))
    },
    /** Empties a field and moves there, so that it is filled anew. */
    fillAnew: (field: Path<V>) => {
      form.resetField(field)
      form.setFocus(field)
    },
    failure,
    clearFailure,
    /** Spread over the `form` element: our texts appear, not the browser's. */
    formProps: { noValidate: true, onSubmit: submit, onInput: clearFailure, onFocus: preload },
  }
}
