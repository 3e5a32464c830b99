import { pageOf } from './page.ts'
import type { Standard } from './standard.ts'
import { asvs } from './standards/asvs.ts'
import { oauth } from './standards/oauth.ts'
import { oidc } from './standards/oidc.ts'
import { wcag } from './standards/wcag.ts'
import { tagsOfRepository } from './tags.ts'

/** The pages that `npm run evidence -- --save` writes, each from one standard. */
export const STANDARDS: Record<string, Standard> = {
  'docs/accessibility.md': wcag,
  'docs/security/asvs.md': asvs,
  'docs/oauth-security.md': oauth,
  'docs/oidc.md': oidc,
}

/** Each page with the text that it should have. */
export function evidencePages(): [path: string, text: string][] {
  const tags = tagsOfRepository()
  return Object.entries(STANDARDS).map(([path, standard]) => [path, pageOf(path, standard, tags)])
}
