type Fault = { type: string; code?: unknown; command?: unknown; responseCode?: unknown; message?: string }

/**
 * What may be logged of a failed delivery. A mail server repeats addresses, and sometimes the text, in its reply. So only
 * the code of a reply and the command are logged. Errors before a server replied are logged in full: they are about
 * connections and files.
 */
export function deliveryFault(error: unknown): Fault {
  if (!(error instanceof Error)) return { type: 'not an error' }
  const { code, command, responseCode, response } = error as Error & Record<string, unknown>
  const isAnswer = responseCode !== undefined || response !== undefined
  return {
    type: error.name,
    ...(code !== undefined && { code }),
    ...(command !== undefined && { command }),
    ...(responseCode !== undefined && { responseCode }),
    ...(!isAnswer && { message: error.message }),
  }
}
