import { type Html, html } from '@marquee/platform/texts/html'

/** The subset of Markdown in descriptions: paragraphs, code and strong text. */
export function prose(markdown: string): Html[] {
  return markdown.split('\n\n').map((paragraph) => html`<p>${phrases(paragraph)}</p>`)
}

/** The text of one paragraph. */
export function phrases(markdown: string): Html[] {
  return markdown.split(/(`[^`]+`|\*\*[^*]+\*\*)/u).map(phrase)
}

function phrase(text: string): Html {
  if (text.startsWith('`')) return html`<code>${text.slice(1, -1)}</code>`
  if (text.startsWith('**')) return html`<strong>${text.slice(2, -2)}</strong>`
  return html`${text}`
}
