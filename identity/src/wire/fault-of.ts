/** What may be logged of a fault: database errors carry the values of the row in further fields. */
export function faultOf(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an error' }
  return { type: error.name, message: error.message, stack: error.stack ?? '' }
}
