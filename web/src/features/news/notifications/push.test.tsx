import '#web/i18n/notification-texts.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'

import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { session } from '#web/session/session.ts'
import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { resumePush } from './push.ts'
import { PushSection } from './push-section.tsx'

tidyUp()
const added: string[] = []
afterEach(() => {
  for (const name of added.splice(0)) Reflect.deleteProperty(navigator, name)
})

function addToNavigator(name: string, value: unknown): void {
  Object.defineProperty(navigator, name, { value, configurable: true })
  added.push(name)
}

const ENDPOINT = 'https://push.example/one'
/** SHA-256 of the address, as base64url. */
const OWN_ID = '3fi5KdDLYw90NP0cokjnOJoWSXZFRc3HJLdQWmxL5us'
const OWN = { id: OWN_ID, device: 'Firefox on Linux', createdAt: '2026-03-03T12:00:00.000Z', usedAt: null }
const PHONE = { id: 'phone', device: 'Safari on iPhone', createdAt: '2026-03-02T12:00:00.000Z', usedAt: null }
const RENEWAL = 'sealed'
const SAVED = { ...OWN, renewal: RENEWAL }
const KEYS = { p256dh: 'k'.repeat(87), auth: 'a'.repeat(22) }

/** After `fakeApi`, which signs in without a session. */
function signIn(userId: string, sessionId: string): void {
  const token = `head.${btoa(JSON.stringify({ sub: userId, origin_jti: sessionId }))}.signature`
  vi.spyOn(session, 'idToken').mockResolvedValue(token)
}

/** A cache as the browser has it, with what is kept of the subscription. */
function aCache(kept?: object) {
  const stored = new Map<string, Response>()
  if (kept) stored.set('/push-subscription', Response.json(kept))
  const cache = {
    match: async (path: string) => stored.get(path)?.clone(),
    put: async (path: string, response: Response) => void stored.set(path, response),
    delete: async (path: string) => stored.delete(path),
  }
  return {
    caches: { open: async () => cache },
    kept: async () => (await stored.get('/push-subscription')?.clone().json()) as unknown,
  }
}

/** A browser with a service worker. `answer` is what the user says when the browser asks. */
function aBrowser({
  permission = 'default',
  answer = 'granted',
  isSubscribed = false,
  kept,
}: { permission?: string; answer?: string; isSubscribed?: boolean; kept?: object } = {}) {
  const cache = aCache(kept)
  vi.stubGlobal('caches', cache.caches)

  const shown = [{ close: vi.fn<() => void>() }]
  let current: object | null = null
  const subscription = {
    endpoint: ENDPOINT,
    toJSON: () => ({ keys: KEYS }),
    unsubscribe: async () => {
      current = null
      return true
    },
  }
  if (isSubscribed) current = subscription
  const subscribe = vi.fn<(options: object) => Promise<object>>(async () => {
    current = subscription
    return subscription
  })
  const notification = {
    permission,
    requestPermission: vi.fn<() => Promise<string>>(async () => {
      notification.permission = answer
      return answer
    }),
  }
  vi.stubGlobal('Notification', notification)
  vi.stubGlobal('PushManager', class {})
  const registration = {
    pushManager: { subscribe, getSubscription: async () => current },
    getNotifications: async () => shown,
  }
  addToNavigator('serviceWorker', { getRegistration: async () => registration })
  return { notification, subscribe, shown, kept: cache.kept, isSubscribed: () => current !== null }
}

async function openSection(devices: object[] = [], save: () => unknown = () => SAVED) {
  const saved = [...devices]
  const api = fakeApi({
    listPushDevices: () => ({ devices: saved }),
    getPushKey: () => ({ publicKey: 'B'.repeat(87) }),
    savePushDevice: () => {
      const answer = save()
      if (!(answer instanceof Refusal)) saved.unshift(OWN)
      return answer
    },
    removePushDevice: ({ params }) => {
      saved.splice(0, saved.length, ...saved.filter((device) => (device as typeof OWN).id !== params['deviceId']))
      return undefined
    },
  })
  signIn('u1', 's1')
  await renderPart(<PushSection withOthers />)
  return api
}

const theSwitch = async () => await screen.findByRole<HTMLInputElement>('switch', { name: 'Notify me on this device' })

test('turning the switch on asks for permission and subscribes the browser', async () => {
  const browser = aBrowser()
  const { callsOf } = await openSection()
  const toggle = await theSwitch()
  expect([toggle.checked, browser.notification.requestPermission.mock.calls.length]).toEqual([false, 0])

  await userEvent.click(toggle)

  await expect
    .poll(async () => await browser.kept())
    .toEqual({ userId: 'u1', sessionId: 's1', publicKey: 'B'.repeat(87), renewal: RENEWAL })
  await expect.poll(() => toggle.checked).toBe(true)
  expect(browser.subscribe.mock.calls).toEqual([[{ userVisibleOnly: true, applicationServerKey: 'B'.repeat(87) }]])
  expect(callsOf('savePushDevice').map(({ request }) => request.body)).toEqual([{ endpoint: ENDPOINT, ...KEYS }])
})

test('turning the switch off unsubscribes the browser and closes its open notifications', async () => {
  const browser = aBrowser({ permission: 'granted', isSubscribed: true })
  const { callsOf } = await openSection([OWN])
  const toggle = await theSwitch()
  expect(toggle.checked).toBe(true)

  await userEvent.click(toggle)

  // A press turns the switch at once, whatever comes of it.
  await expect
    .poll(() => callsOf('removePushDevice').map(({ request }) => request.params))
    .toEqual([{ deviceId: OWN_ID }])
  await expect.poll(() => toggle.checked).toBe(false)
  expect(browser.isSubscribed()).toBe(false)
  expect(browser.shown[0]?.close).toHaveBeenCalledOnce()
})

test('a denied permission is explained', async () => {
  const browser = aBrowser({ answer: 'denied' })
  await openSection()

  await userEvent.click(await theSwitch())

  expect(await screen.findByText(/^This browser blocks notifications from Marquee\./u)).toBeTruthy()
  expect(screen.queryByRole('switch')).toBeNull()
  expect(browser.subscribe).not.toHaveBeenCalled()
})

test('a failure to save the device turns the switch off again', async () => {
  const browser = aBrowser()
  await openSection([], () => new Refusal(400, 'BAD_REQUEST', 'This address cannot be used'))
  const toggle = await theSwitch()

  await userEvent.click(toggle)

  expect((await screen.findByRole('alert')).textContent).toContain('Your choice was not saved.')
  await waitFor(() => expect(toggle.checked).toBe(false))
  expect(browser.isSubscribed()).toBe(false)
})

test('a browser without push shows only the other devices, which can be removed', async () => {
  const { callsOf } = await openSection([PHONE])

  await userEvent.click(await screen.findByRole('button', { name: 'Remove Safari on iPhone' }))

  await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull())
  expect(screen.queryByRole('switch')).toBeNull()
  expect(callsOf('removePushDevice').map(({ request }) => request.params)).toEqual([{ deviceId: 'phone' }])
})

test('an iOS user is asked to add the app to the home screen', async () => {
  addToNavigator('standalone', false)
  await openSection()

  expect(await screen.findByText(/add Marquee to the home screen/u)).toBeTruthy()
})

describe('push devices at the start of the app', () => {
  const KEPT = { userId: 'u1', sessionId: 's1', publicKey: 'B', renewal: RENEWAL }
  const resume = async (kept: object | undefined) => {
    const browser = aBrowser({ permission: 'granted', isSubscribed: true, ...(kept && { kept }) })
    const api = fakeApi({ getPushKey: () => ({ publicKey: 'B' }), savePushDevice: () => SAVED })
    signIn('u1', 's1')
    await resumePush()
    return { browser, saved: api.callsOf('savePushDevice').length }
  }

  test('a device of the current session is not saved again', async () => {
    const { browser, saved } = await resume(KEPT)

    expect([browser.isSubscribed(), saved]).toEqual([true, 0])
  })

  test('a device of an earlier session of the same user is saved again', async () => {
    const { browser, saved } = await resume({ ...KEPT, sessionId: 's0' })

    expect([browser.isSubscribed(), saved]).toEqual([true, 1])
    expect(await browser.kept()).toMatchObject({ userId: 'u1', sessionId: 's1' })
  })

  test('a subscription of another user is removed', async () => {
    const { browser, saved } = await resume({ ...KEPT, userId: 'u0' })

    expect([browser.isSubscribed(), saved]).toEqual([false, 0])
    expect(await browser.kept()).toBeUndefined()
  })

  test('a browser without a push device is not changed', async () => {
    const { saved } = await resume(undefined)

    expect(saved).toBe(0)
  })
})

describe('the service worker', () => {
  /** Runs the worker with these open tabs. `send` dispatches an event and waits for its work. */
  function aWorker(tabs: { url: string }[] = [], kept?: object) {
    const cache = aCache(kept)
    const subscription = { toJSON: () => ({ endpoint: ENDPOINT, keys: KEYS }) }
    const subscribe = vi.fn<(options: object) => Promise<object>>(async () => subscription)
    const fetch = vi.fn<(path: string, init: { body: string }) => Promise<Response>>(async () =>
      Response.json({ ...SAVED, renewal: 'next' }),
    )
    const listeners = new Map<string, (event: object) => void>()
    const opened = tabs.map((tab) => ({
      ...tab,
      focus: vi.fn<() => Promise<void>>(async () => undefined),
      navigate: vi.fn<(url: string) => Promise<void>>(async () => undefined),
    }))
    const showNotification = vi.fn<(title: string, options: object) => Promise<void>>(async () => undefined)
    const openWindow = vi.fn<(url: string) => Promise<void>>(async () => undefined)
    const self = {
      addEventListener: (kind: string, listener: (event: object) => void) => listeners.set(kind, listener),
      location: { origin: 'https://films.example' },
      registration: { showNotification, pushManager: { subscribe } },
      clients: { matchAll: async () => opened, openWindow },
    }
    runInNewContext(readFileSync(join(import.meta.dirname, '../../../../public/service-worker.js'), 'utf8'), {
      self,
      URL,
      Response,
      fetch,
      caches: cache.caches,
    })
    const send = async (kind: string, event: object) => {
      let work: unknown
      listeners.get(kind)?.({ ...event, waitUntil: (promise: unknown) => (work = promise) })
      await work
    }
    return { send, showNotification, openWindow, tabs: opened, subscribe, subscription, fetch, kept: cache.kept }
  }
  const click = (url: string) => ({ notification: { close: () => undefined, data: { url } } })

  test('the service worker shows a push message as a notification', async () => {
    const { send, showNotification } = aWorker()
    const message = {
      title: 'Ana mentioned you',
      body: 'Alien',
      tag: 'n1',
      url: '/watchlists/w1',
      lang: 'en',
      dir: 'ltr',
    }

    await send('push', { data: { json: () => message } })

    expect(showNotification.mock.calls).toEqual([
      [
        'Ana mentioned you',
        {
          body: 'Alien',
          tag: 'n1',
          lang: 'en',
          dir: 'ltr',
          icon: '/icons/icon-192.png',
          data: { url: '/watchlists/w1' },
        },
      ],
    ])
  })

  test('clicking a notification opens its page', async () => {
    const { send, openWindow, tabs } = aWorker([{ url: 'https://films.example/watchlists/w2' }])

    await send('notificationclick', click('/watchlists/w1#card-c1'))

    expect(openWindow.mock.calls).toEqual([['https://films.example/watchlists/w1#card-c1']])
    expect(tabs[0]?.focus).not.toHaveBeenCalled()
  })

  test('clicking a notification focuses an open tab of its page', async () => {
    const { send, openWindow, tabs } = aWorker([
      { url: 'https://films.example/watchlists/w2' },
      { url: 'https://films.example/watchlists/w1' },
    ])

    await send('notificationclick', click('/watchlists/w1#card-c1'))

    expect(tabs[1]?.focus).toHaveBeenCalledOnce()
    expect(tabs[1]?.navigate.mock.calls).toEqual([['https://films.example/watchlists/w1#card-c1']])
    expect(openWindow).not.toHaveBeenCalled()
  })

  test.each([
    ['makes a new subscription', false],
    ['takes the new subscription of the browser', true],
  ])('the service worker %s when the old subscription ends, and renews the device', async (_what, isMade) => {
    const { send, subscribe, subscription, fetch, kept } = aWorker([], {
      userId: 'u1',
      publicKey: 'B',
      renewal: RENEWAL,
    })

    await send('pushsubscriptionchange', { newSubscription: isMade ? subscription : null })

    expect(subscribe.mock.calls).toEqual(isMade ? [] : [[{ userVisibleOnly: true, applicationServerKey: 'B' }]])
    expect(fetch.mock.calls.map(([path, { body }]) => [path, JSON.parse(body) as unknown])).toEqual([
      ['/api/push/renewals', { endpoint: ENDPOINT, ...KEYS, renewal: RENEWAL }],
    ])
    expect(await kept()).toEqual({ userId: 'u1', publicKey: 'B', renewal: 'next' })
  })

  test('the service worker renews no device after the user has signed out', async () => {
    const { send, subscribe, fetch } = aWorker()

    await send('pushsubscriptionchange', { newSubscription: null })

    expect([subscribe.mock.calls, fetch.mock.calls]).toEqual([[], []])
  })
})
