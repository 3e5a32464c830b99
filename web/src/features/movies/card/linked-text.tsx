import Linkify from 'linkify-react'
import type { Opts } from 'linkifyjs'

import { linkStyle } from '#web/ui/classes.ts'

const LINKS: Opts = {
  defaultProtocol: 'https',
  target: '_blank',
  rel: 'noopener noreferrer',
  className: linkStyle,
  // Only http(s) and www. become links, not mail addresses and bare domains.
  validate: (value, type) => type === 'url' && /^(?:https?:\/\/|www\.)/iu.test(value),
}

/** A text with clickable links. */
export function LinkedText({ text }: { text: string }) {
  return <Linkify options={LINKS}>{text}</Linkify>
}
