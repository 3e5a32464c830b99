/** Logs a failure that the user need not see. Nothing else writes to the browser's console. */
export function logWarning(what: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- this is where the logging goes
  console.warn(what, error)
}
