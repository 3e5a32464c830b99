/** The commands of SMTP whose permanent refusal is about the address or the content of one mail. Others are about this server. */
const ABOUT_ONE_MAIL = ['RCPT TO', 'DATA']
const FIRST_PERMANENT_CODE = 500

/** Whether the mail server will never take this mail, whenever it is sent. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { command, responseCode } = error as Error & Record<string, unknown>
  return Number(responseCode) >= FIRST_PERMANENT_CODE && ABOUT_ONE_MAIL.includes(String(command))
}

type Fault = { type: string; code?: unknown; command?: unknown; responseCode?: unknown; message?: string }

/**
 * What may be logged of a failed delivery. A mail server repeats addresses, and sometimes the text, in its reply. So only
 * the code of a reply and the command are logged. Errors before a server replied are logged in full: they are about
 * connections and files.
 */
export function faultOf(error: unknown): Fault {
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
