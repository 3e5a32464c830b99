import { locale } from './language.ts'

/** Created when first needed, because it takes milliseconds. */
let numbers: Intl.NumberFormat | undefined

/** A number with the marks of the visitor's region: "4.5" or "4,5". */
export function numberText(value: number): string {
  numbers ??= new Intl.NumberFormat(locale)
  return numbers.format(value)
}
