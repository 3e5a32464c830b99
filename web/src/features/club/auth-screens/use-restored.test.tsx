import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'

import '#web/i18n/external-texts.ts'
import { features, setFeatures } from '#web/config.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { AuthorizeQuestion } from './authorize-question.tsx'
import { HostedButton } from './login-buttons.tsx'

const NOTHING = features()
afterEach(() => setFeatures(NOTHING))
tidyUp()

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
/** The browser shows the page as it was left. */
const comeBack = () => fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }))

test('the button for the hosted pages works again after the user goes back', () => {
  setFeatures({ ...NOTHING, hostedPages: true })
  render(<HostedButton redirect={undefined} />)
  fireEvent.click(button('Other ways to sign in'))
  expect(button('Other ways to sign in').disabled).toBe(true)

  comeBack()

  expect(button('Other ways to sign in').disabled).toBe(false)
})

test('an answered question of a tool can be answered again after the user goes back', async () => {
  const replies: Record<string, object> = {
    '/oauth2/question': { clientName: 'Film wiki', scopes: [], signInAgain: false },
    '/oauth2/answer': { location: 'https://wiki.test/' },
  }
  const left: string[] = []
  const given = { signInAgain: async () => {}, onSwitchAccount: () => {}, isSwitching: false }
  vi.stubGlobal('fetch', async (path: string) => Response.json(replies[path]))
  await renderPart(
    <AuthorizeQuestion
      {...given}
      request="r1"
      username="Ana"
      idToken={async () => 'token'}
      onAnswered={(location) => left.push(location)}
    />,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Continue to Film wiki' }))
  await waitFor(() => expect(left).toEqual(['https://wiki.test/']))
  expect(button('Continue to Film wiki').disabled).toBe(true)

  comeBack()

  expect(button('Continue to Film wiki').disabled).toBe(false)
})
