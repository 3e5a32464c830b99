/** Joins class names; what is undefined, false or empty is left out. */
export function classes(...names: (string | false | undefined)[]): string {
  return names.filter((name) => name !== undefined && name !== false && name !== '').join(' ')
}

/** The look of a link in running text; the element is the router's. */
export const linkStyle = 'font-medium text-accent underline underline-offset-3 hover:text-accent-strong'
