/** Notes a failure that the visitor need not see. The one place that writes to the browser's console (spec section 9). */
export function logWarning(what: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- this is where the logging goes
  console.warn(what, error)
}
