/* oxlint-disable no-restricted-globals, typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return, typescript/promise-function-async
   -- served without a build step, as a service worker without types */

// Makes the app installable, shows a page without a connection, and shows push messages. It never serves an old version:
// pages come from the network or are the offline page, and it caches only files whose name has the hash of their content.

const CACHE = 'marquee-1'
const OFFLINE_PAGE = '/offline.html'
const OFFLINE_FILES = [OFFLINE_PAGE, '/offline.css', '/offline.js', '/theme.js', '/favicon.svg']
const ASSETS = '/assets/'
/** Where the app keeps what a new subscription needs (web/src/features/news/notifications/push.ts). */
const PUSH_SUBSCRIPTION = '/push-subscription'
/** Enough for several releases. The oldest files are removed first. */
const MOST_ASSETS = 200

self.addEventListener('install', (event) => {
  event.waitUntil(install())
})

self.addEventListener('activate', (event) => {
  event.waitUntil(activate())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (pathname.startsWith(ASSETS)) event.respondWith(asset(event))
  else if (request.mode === 'navigate') event.respondWith(page(event))
  else if (OFFLINE_FILES.includes(pathname)) event.respondWith(offlineFile(request))
})

self.addEventListener('push', (event) => {
  event.waitUntil(showMessage(event.data.json()))
})

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renew(event.newSubscription))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(event.notification.data.url))
})

async function install() {
  const cache = await caches.open(CACHE)
  await cache.addAll(OFFLINE_FILES.map((path) => new Request(path, { cache: 'reload' })))
  await self.skipWaiting()
}

async function activate() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

/**
 * A page from the network. The browser may have requested it before this worker started. That response must be used,
 * because a second request could fail: some addresses work once.
 */
async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    return (await caches.match(OFFLINE_PAGE)) ?? Response.error()
  }
}

async function offlineFile(request) {
  try {
    return await fetch(request)
  } catch {
    return (await caches.match(request)) ?? Response.error()
  }
}

/** A file that never changes, so the cached one is as good as the server's. */
async function asset(event) {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(event.request)
  if (kept !== undefined) return kept
  const response = await fetch(event.request)
  if (response.ok && response.type === 'basic') event.waitUntil(keep(cache, event.request, response.clone()))
  return response
}

async function keep(cache, request, response) {
  await cache.put(request, response)
  const requests = await cache.keys()
  const assets = requests.filter(({ url }) => new URL(url).pathname.startsWith(ASSETS))
  const tooOld = assets.slice(0, Math.max(0, assets.length - MOST_ASSETS))
  await Promise.all(tooOld.map((old) => cache.delete(old)))
}

/** Browsers require that each push message shows something. */
async function showMessage({ title, url, ...options }) {
  await self.registration.showNotification(title, { ...options, icon: '/icons/icon-192.png', data: { url } })
}

/** Brings the tab with that page to the front, or opens one. Other tabs stay as they are. */
async function openPage(path) {
  const { href, pathname } = new URL(path, self.location.origin)
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const tab = tabs.find(({ url }) => new URL(url).pathname === pathname)
  if (tab === undefined) return await self.clients.openWindow(href)
  await tab.focus()
  // A tab that was loaded without this worker cannot be moved to the card.
  if (tab.url !== href) await tab.navigate(href).catch(() => undefined)
}

/** The browser has ended the subscription, and may have made a new one. A worker cannot sign in, so it shows the renewal. */
async function renew(made) {
  const cache = await caches.open(CACHE)
  const kept = await (await cache.match(PUSH_SUBSCRIPTION))?.json()
  if (kept === undefined) return
  const options = { userVisibleOnly: true, applicationServerKey: kept.publicKey }
  const subscription = made ?? (await self.registration.pushManager.subscribe(options))
  const { endpoint, keys } = subscription.toJSON()
  const response = await fetch('/api/push/renewals', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint, p256dh: keys.p256dh, auth: keys.auth, renewal: kept.renewal }),
  })
  if (!response.ok) return
  const { renewal } = await response.json()
  await cache.put(PUSH_SUBSCRIPTION, Response.json({ ...kept, renewal }))
}
