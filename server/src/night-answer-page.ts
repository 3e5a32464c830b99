import type { FastifyInstance } from 'fastify'

import { NIGHT_ANSWERS, NightAnswer } from '@marquee/contract/entities/night'
import type { RateLimiter } from '@marquee/platform/limits/rate-limiter'
import { type Html, html } from '@marquee/platform/texts/html'

import { linkPages, sendPage } from './link-page.ts'
import {
  answerByLink,
  type AnswerPage,
  type AnswerPorts,
  openAnswerLink,
} from './rooms/nights/nights/plan/answer-links.ts'
import { LOCALES } from './texts/texts.ts'

type Link = { Params: { token: string }; Querystring: { answer?: string }; Body: unknown }
type Texts = ReturnType<typeof LOCALES.of>

/** The page behind the answers in a mail about a night. The link chooses an answer, and the button sends it. */
export async function nightAnswerPage(
  app: FastifyInstance,
  ports: AnswerPorts & { readonly limiter: RateLimiter },
): Promise<void> {
  await linkPages(app, ports, (page) => {
    page.get<Link>('/night-answer/:token', async ({ params, query }, reply) => {
      const found = await openAnswerLink(ports, params.token)
      const texts = LOCALES.of(found.language)
      const form = formOf(texts, found, NightAnswer.safeParse(query.answer).data)
      return await sendPage(reply, texts, contentOf(texts, found, ports.publicUrl, form))
    })
    page.post<Link>('/night-answer/:token', async ({ params, body }, reply) => {
      const before = await openAnswerLink(ports, params.token)
      const texts = LOCALES.of(before.language)
      const { t } = texts
      if (before.night.state === 'planned') await answerByLink(ports, params.token, answersIn(before, body))
      const found = await openAnswerLink(ports, params.token)
      const saved = html`<p role="status">${t(found.night.state === 'planned' ? 'night.saved' : 'night.over')}</p>
        ${answersOf(texts, found)}`
      return await sendPage(reply, texts, contentOf(texts, found, ports.publicUrl, saved))
    })
  })
}

function contentOf({ t }: Texts, { night, watchlistName: watchlist }: AnswerPage, publicUrl: string, content: Html) {
  return {
    title: t('night.title', { watchlist }),
    content: html`${content}
      <p><a href="${publicUrl}/watchlists/${night.watchlistId}/night">${t('night.open')}</a></p>`,
  }
}

/** The answers that a form sends, to the times that are proposed. */
function answersIn({ night }: AnswerPage, body: unknown): Map<string, NightAnswer> {
  const form = new URLSearchParams(typeof body === 'string' ? body : '')
  const given = night.times.flatMap(({ startsAt }) => {
    const answer = NightAnswer.safeParse(form.get(startsAt)).data
    return answer === undefined ? [] : [[startsAt, answer] as const]
  })
  return new Map(given)
}

/** A question for each time, with the answer that was given, or that the link chooses for the only one. */
function formOf(texts: Texts, page: AnswerPage, wanted: NightAnswer | undefined): Html {
  const { t } = texts
  const { times } = page.night
  if (page.night.state !== 'planned') return html`<p>${t('night.over')}</p>`
  return html`<p>${t(times.length > 1 ? 'night.choose' : 'night.ask')}</p>
    <form method="post">
      ${times.map((time) => {
        const chosen = (times.length === 1 ? wanted : undefined) ?? givenTo(page, time)
        return html`<fieldset>
          <legend>${momentOf(texts, page, time)}</legend>
          ${NIGHT_ANSWERS.map(
            (answer) =>
              html`<label
                ><input
                  type="radio"
                  name="${time.startsAt}"
                  value="${answer}"
                  ${answer === chosen ? html`checked` : ''}
                />
                ${t(`night.answers.${answer}`)}</label
              >`,
          )}
        </fieldset>`
      })}
      <button>${t('night.send')}</button>
    </form>`
}

function answersOf(texts: Texts, page: AnswerPage): Html[] {
  return page.night.times.flatMap((time) => {
    const answer = givenTo(page, time)
    return answer === undefined
      ? []
      : html`<p>${momentOf(texts, page, time)}: <strong>${texts.t(`night.answers.${answer}`)}</strong></p>`
  })
}

type Time = AnswerPage['night']['times'][number]

function givenTo({ username }: AnswerPage, { answers }: Time): NightAnswer | undefined {
  return answers.find((one) => one.username === username)?.answer
}

function momentOf({ t, time }: Texts, { night }: AnswerPage, { localTime }: Time): string {
  return t('night.time', { time: time(localTime, 'full'), zone: night.timeZone ?? 'UTC' })
}
