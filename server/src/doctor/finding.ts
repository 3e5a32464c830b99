/** What one check found. `unused` is a part that the settings do not use. */
export type Finding = { readonly verdict: 'ok' | 'unused' | 'warning' | 'problem'; readonly text: string }

export const ok = (text: string): Finding => ({ verdict: 'ok', text })
export const unused = (text: string): Finding => ({ verdict: 'unused', text })
export const warning = (text: string): Finding => ({ verdict: 'warning', text })
export const problem = (text: string): Finding => ({ verdict: 'problem', text })

/** Ends a check with what it found. */
export class Found extends Error {
  override readonly name = 'Found'
  readonly finding: Finding

  constructor(finding: Finding) {
    super(finding.text)
    this.finding = finding
  }
}
