import Linkify from 'linkify-react'
import type { Opts } from 'linkifyjs'

import { linkStyle } from '#web/ui/classes.ts'

const LINKS: Opts = {
  defaultProtocol: 'https',
  target: '_blank',
  rel: 'noopener noreferrer',
  className: linkStyle,
  // Only http(s) and www. become links (spec section 2, "Movie card"): no mail addresses, no bare domains.
  validate: (value, type) => type === 'url' && /^(?:https?:\/\/|www\.)/iu.test(value),
}

/** A text with its links clickable. */
export function LinkedText({ text }: { text: string }) {
  return <Linkify options={LINKS}>{text}</Linkify>
}
