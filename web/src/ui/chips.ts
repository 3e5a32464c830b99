/** The chosen names, and the text of the field, whose names count as well. */
export type Chips = { readonly chosen: readonly string[]; readonly typed: string }

export const NO_CHIPS: Chips = { chosen: [], typed: '' }

export const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

export function withNames(names: readonly string[], added: readonly string[]): string[] {
  const all = [...names]
  for (const name of added) if (!all.some((one) => isSame(one, name))) all.push(name)
  return all
}

/** Arabic keyboards have a comma of their own. */
export const COMMA = /[,،]/u

/** The names in a text with commas. */
export function namesIn(text: string): string[] {
  return text
    .split(COMMA)
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** All names of the field. */
export function chipNames({ chosen, typed }: Chips): string[] {
  return withNames(chosen, namesIn(typed))
}
