import { isHttpUrl } from './image.ts'

const LINK = /https?:\/\/[^\s<>"]+/iu
const CLOSING = /[.,;:!?'’”»\])]$/u

/**
 * The first http or https link in a text, such as the text that an app shares; undefined if there is none. Punctuation
 * behind the link is dropped. A bracket stays if it closes one of the link: `…/wiki/Alien_(film)`.
 */
export function linkIn(text: string): string | undefined {
  let link = LINK.exec(text)?.[0]
  while (link !== undefined && CLOSING.test(link) && !closesOwnBracket(link)) link = link.slice(0, -1)
  return link !== undefined && isHttpUrl(link) ? link : undefined
}

function closesOwnBracket(link: string): boolean {
  const opening = { ')': '(', ']': '[' }[link.at(-1) ?? '']
  return opening !== undefined && link.split(opening).length >= link.split(link.at(-1) ?? '').length
}
