import type { FieldErrors, FieldValues, UseFormProps, UseFormReturn } from 'react-hook-form'
// oxlint-disable-next-line no-restricted-imports -- every form takes this one instead
import { get, useForm as useHookForm } from 'react-hook-form'

/**
 * `useForm` of react-hook-form, which moves the focus to the first wrong field once. The library moves it a second time
 * a moment later, which takes it from a user who has gone on to another field.
 */
export function useForm<V extends FieldValues>(props: Omit<UseFormProps<V>, 'shouldFocusError'>): UseFormReturn<V> {
  const form = useHookForm<V>({ ...props, shouldFocusError: false })
  return {
    ...form,
    handleSubmit: (onValid, onInvalid) =>
      form.handleSubmit(onValid, (errors, event) => {
        focusFirstError(errors, event?.target)
        return onInvalid?.(errors, event)
      }),
  }
}

function focusFirstError(errors: FieldErrors, form: unknown): void {
  if (!(form instanceof HTMLFormElement)) return
  for (const field of form.elements) {
    const name = field.getAttribute('name')
    if (name !== null && name !== '' && get(errors, name) !== undefined && field instanceof HTMLElement) {
      field.focus()
      return
    }
  }
}
