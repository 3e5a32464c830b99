/** Made when first needed: a browser takes milliseconds for each. */
let day: Intl.DateTimeFormat | undefined
let moment: Intl.DateTimeFormat | undefined

/** An ISO time as a day in the visitor's time zone: "Mar 3, 2026". */
export function dayText(iso: string): string {
  day ??= new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
  return day.format(new Date(iso))
}

/** An ISO time as a day and a time of day in the visitor's time zone: "Mar 3, 2026, 8:14 PM". */
export function momentText(iso: string): string {
  moment ??= new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
  return moment.format(new Date(iso))
}
