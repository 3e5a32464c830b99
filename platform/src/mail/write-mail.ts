import { type Html, html } from '../texts/html.ts'
import { oneLine } from '../texts/one-line.ts'
import type { Texts } from '../texts/texts.ts'
import type { MailMessage } from './message.ts'

/** A link below the mail. */
type SmallPrint = { readonly smallPrint: string; readonly link: string }

type Link = { readonly link: string; readonly label: string }

/** A part of a mail. Each of its texts is one line. */
type MailPart =
  | { readonly paragraph: string }
  | { readonly lines: readonly string[] }
  /** Text of members. It is marked, so that it never looks like a text of the product. */
  | { readonly quote: readonly string[] }
  | { readonly code: string }
  /** The main link, in HTML as a button. */
  | Link
  /** Choices, in HTML as buttons beside each other. */
  | { readonly links: readonly Link[] }
  | SmallPrint

/** What a mail says, in the language of its reader. `from` is the name of the product. */
export type MailContent = Pick<MailMessage, 'to' | 'subject' | 'calendar' | 'unsubscribeUrl'> & {
  readonly texts: Pick<Texts, 'language' | 'direction'>
  readonly from: string
  readonly parts: readonly MailPart[]
}

/**
 * Writes a mail as text and as HTML in the design of the product. In the text, a link or code is on a line of its own, and
 * each line of a member begins with `> `.
 */
export function writeMail({ texts, from, parts, subject, ...rest }: MailContent): MailMessage {
  const text = [...parts.map(textOf), from].join('\n\n') + '\n'
  return { ...rest, subject, text, html: pageOf(texts, { from, subject, parts }) }
}

function textOf(part: MailPart): string {
  if ('paragraph' in part) return part.paragraph
  if ('lines' in part) return part.lines.join('\n')
  if ('quote' in part) return part.quote.map((line) => `> ${oneLine(line)}`).join('\n')
  if ('code' in part) return part.code
  if ('links' in part) return part.links.map(({ link, label }) => `${label}:\n${link}`).join('\n')
  return 'smallPrint' in part ? `${part.smallPrint}\n${part.link}` : part.link
}

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** The colours of the web app. Programs that know no dark mode use the inline styles, which are light. */
const DARK = html`<style>
  :root {
    color-scheme: light dark;
    supported-color-schemes: light dark;
  }
  @media (prefers-color-scheme: dark) {
    .canvas {
      background: #121014 !important;
    }
    .surface {
      background: #1b181f !important;
      border-color: #3a343f !important;
    }
    .text {
      color: #f4efe8 !important;
    }
    .muted {
      color: #b5adb8 !important;
    }
    .brand {
      color: #ffb547 !important;
    }
    .raised {
      background: #252129 !important;
      border-color: #8a6a3c !important;
    }
    .button {
      background: #ffb547 !important;
      color: #1d1302 !important;
    }
  }
</style>`

/** Tables and inline styles, because mail programs ignore most other CSS. */
function pageOf(
  { language, direction }: MailContent['texts'],
  { from, subject, parts }: Pick<MailContent, 'from' | 'subject' | 'parts'>,
): string {
  return html`<!doctype html>
    <html lang="${language}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${subject}</title>
        ${DARK}
      </head>
      <body class="canvas" style="margin:0;padding:0;background:#faf7f2">
        <table
          role="presentation"
          class="canvas"
          dir="${direction}"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          style="background:#faf7f2"
        >
          <tr>
            <td align="center" style="padding:32px 12px">
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                style="max-width:560px;${FONT};font-size:16px;line-height:1.55"
              >
                <tr>
                  <td class="brand" style="padding:0 4px 14px;color:#8f4d00;font-size:20px;font-weight:700">${from}</td>
                </tr>
                <tr>
                  <td
                    class="surface text"
                    style="padding:12px 24px;background:#ffffff;border:1px solid #ddd5ca;border-radius:14px;color:#221d26;overflow-wrap:anywhere"
                  >
                    ${parts.map((part) => ('smallPrint' in part ? undefined : htmlOf(part, direction)))}
                  </td>
                </tr>
                ${parts.map((part) => ('smallPrint' in part ? smallPrintOf(part) : undefined))}
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html> `.text
}

function htmlOf(part: Exclude<MailPart, SmallPrint>, direction: Texts['direction']): Html {
  if ('lines' in part) return html`<p style="margin:12px 0;font-weight:600">${inLines(part.lines)}</p> `
  if ('quote' in part) {
    const side = direction === 'rtl' ? 'right' : 'left'
    return html`<blockquote
      class="raised"
      style="margin:12px 0;padding:8px 14px;background:#f3eee6;border-${side}:3px solid #c79a5e"
    >
      ${part.quote.map((line) => html`<div dir="auto">${oneLine(line)}</div>`)}
    </blockquote> `
  }
  if ('code' in part) {
    return html`<p dir="ltr" align="center" style="margin:20px 0;font-size:30px;font-weight:700;letter-spacing:.2em">
      ${part.code}
    </p> `
  }
  if ('link' in part) return buttonsOf([part])
  if ('links' in part) return buttonsOf(part.links)
  return html`<p style="margin:12px 0">${part.paragraph}</p> `
}

/** Outlook ignores the padding of a link, but shows the colour of its cell. */
function buttonsOf(links: readonly Link[]): Html {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:20px 0">
    <tr>
      ${links.map(
        ({ link, label }, index) => html`
          ${index === 0 ? undefined : html`<td width="8"></td>`}
          <td class="button" bgcolor="#8f4d00" style="background:#8f4d00;border-radius:10px">
            <a
              href="${link}"
              class="button"
              style="display:inline-block;padding:12px 22px;background:#8f4d00;color:#ffffff;border-radius:10px;font-weight:600;text-decoration:none"
              >${label}</a
            >
          </td>
        `,
      )}
    </tr>
  </table> `
}

function smallPrintOf({ smallPrint, link }: SmallPrint): Html {
  return html`<tr>
    <td style="padding:14px 4px 0;font-size:13px">
      <a href="${link}" class="muted" style="color:#645b68">${smallPrint}</a>
    </td>
  </tr> `
}

function inLines(lines: readonly string[]): Html[] {
  return lines.map((line, index) => html`${index === 0 ? undefined : html`<br />`}${line}`)
}
