/** What the headers of a request say about its caller; empty where they say nothing. */
export type Caller = { readonly userAgent: string; readonly acceptLanguage: string }

/** For calls without a request. */
export const NO_CALLER: Caller = { userAgent: '', acceptLanguage: '' }

export function callerOf({ headers }: { headers: Readonly<Record<string, string | string[] | undefined>> }): Caller {
  return { userAgent: String(headers['user-agent'] ?? ''), acceptLanguage: String(headers['accept-language'] ?? '') }
}
