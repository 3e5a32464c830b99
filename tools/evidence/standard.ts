/** A published standard, and how Marquee answers each of its requirements. */
export type Standard = {
  /** How tags begin: `asvs` for `// Evidence: asvs-6.2.1`. */
  id: string
  title: string
  /** What the page is about and what was not done, in Markdown. */
  intro: string
  groups: readonly Group[]
}

export type Group = { title: string; requirements: readonly Requirement[] }

export type Requirement = {
  id: string
  level: 1 | 2 | 'A' | 'AA' | 'must' | 'should'
  /** What it asks, in our own words. */
  says: string
  answer: Answer
}

/** Texts are Markdown. They link to files by their path from the root of the repository. */
export type Answer =
  /** Each tagged test shows it. */
  | { met: 'tested'; note?: string }
  /** No test could show it. The reason links to a file that does. */
  | { met: 'by-design'; reason: string }
  | { met: 'partly'; missing: string }
  | { met: 'no'; missing: string }
  | { met: 'not-applicable'; reason: string }

/** The name of a requirement in a tag. */
export function tagOf({ id }: Standard, requirement: Requirement): string {
  return `${id}-${requirement.id}`
}
