type Fault = { type: string; code?: unknown; command?: unknown; responseCode?: unknown; message?: string }

/**
 * What may be logged of a delivery that failed. A mail server repeats addresses, and some of them the text, in what it
 * answers, so of an answer only its number is told, and at which command it came. What never reached a server is told in
 * full: it speaks of connections and files.
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
