/** Joins class names, without those that are undefined, false or empty. */
export function classes(...names: (string | false | undefined)[]): string {
  return names.filter((name) => name !== undefined && name !== false && name !== '').join(' ')
}

/** The classes of a link in running text. */
export const linkStyle = 'font-medium text-accent underline underline-offset-3 hover:text-accent-strong'

/** The classes of a link on a line of its own: as high as a finger needs. */
export const lineLinkStyle = `${linkStyle} self-start pointer-coarse:py-3`
