import { read } from '../checks/repository.ts'
import type { Page } from './page.ts'

/** The pages of evidence, each about one published standard, with the number of its requirements. */
const STANDARDS: Omit<Page, 'text'>[] = [
  { path: 'docs/accessibility.md', id: 'wcag', levels: { A: 31, AA: 24 } },
  { path: 'docs/security/asvs.md', id: 'asvs', levels: { 1: 70, 2: 183 } },
  { path: 'docs/oauth-security.md', id: 'rfc9700', levels: { must: 27, should: 18 } },
  { path: 'docs/oidc.md', id: 'oidc', levels: { must: 40, should: 7 } },
]

export function evidencePages(): Page[] {
  return STANDARDS.map((standard) => ({ ...standard, text: read(standard.path) }))
}
