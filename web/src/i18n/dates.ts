const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** An ISO time as a day in the visitor's time zone: "Mar 3, 2026". */
export function dayText(iso: string): string {
  return day.format(new Date(iso))
}

/** An ISO time as a day and a time of day in the visitor's time zone: "Mar 3, 2026, 8:14 PM". */
export function momentText(iso: string): string {
  return moment.format(new Date(iso))
}
