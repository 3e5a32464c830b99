/* oxlint-disable no-restricted-globals, typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return, typescript/promise-function-async
   -- served without a build step, as a service worker without types */

// Makes the app installable, opens it without a connection, and shows push messages. With a connection it never serves an
// old version: pages come from the network. Without one they come from the shell, which is the last build that was kept whole.

/** The shell. It has nothing of a user, and stays when they sign out. */
const SHELL = 'app-shell'
/** Where the app keeps what a new subscription needs (web/src/features/news/notifications/push.ts). */
const PUSH = 'marquee-1'
const PUSH_SUBSCRIPTION = '/push-subscription'
/** Pictures. It is there while the user lets this device keep things (web/src/offline/device-copy.ts). */
const IMAGES = 'marquee-images'

const OFFLINE_PAGE = '/offline.html'
const OFFLINE_FILES = [OFFLINE_PAGE, '/offline.css', '/offline.js', '/boot.js', '/favicon.svg']
const ASSETS = '/assets/'
const SHELL_PAGE = '/index.html'
/** The names of the files of a build. */
const SHELL_LIST = '/shell.json'
const CONFIG = '/config.json'
/** Tells the app that the server did not answer (web/src/config.ts). */
const KEPT_HEADER = 'x-kept'
/** Pages that are not the app (server/src/web-app.ts), and those whose address works once. */
const NO_SCREENS = /^\/(?:api|identity|oauth2|images|assets|logout|join)(?:\/|$)|\./u
/** A server that is out of service, or a proxy without a server. */
const OUT_OF_SERVICE = new Set([502, 503, 504])
/** So long a start waits for the network while there is a shell. */
const PATIENCE_MS = 4_000

/** Files of earlier builds that open tabs may still need. The oldest are removed first. */
const MOST_OLD_ASSETS = 200

const STORED_IMAGE = /^\/images\/([\w-]+)-(\d+)\.webp$/u
const WIDTHS = [320, 640, 200, 400]
const MOST_IMAGE_BYTES = 40_000_000
/** Looking at all pictures takes a while, so it is not done for each. */
const IMAGES_BETWEEN_TRIMS = 20

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
  else if (pathname === CONFIG) event.respondWith(config(event))
  else if (STORED_IMAGE.test(pathname)) event.respondWith(image(event))
  else if (OFFLINE_FILES.includes(pathname)) event.respondWith(offlineFile(request))
})

self.addEventListener('message', (event) => {
  // web/src/offline/worker.ts sends it.
  if (event.data?.keep !== undefined) event.waitUntil(Promise.all([keepShell(), keepImages(event.data.keep)]))
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
  await keepOfflineFiles()
  await self.skipWaiting()
}

async function keepOfflineFiles() {
  const cache = await caches.open(SHELL)
  await cache.addAll(OFFLINE_FILES.map((path) => new Request(path, { cache: 'reload' })))
}

async function activate() {
  const names = await caches.keys()
  const others = names.filter((name) => ![SHELL, PUSH, IMAGES].includes(name))
  await Promise.all(others.map((name) => caches.delete(name)))
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

/** The last page did not come from the server. What it asks for first does not wait for the server again. */
let isShellShown = false

/**
 * A page from the network. The browser may have requested it before this worker started. That response must be used,
 * because a second request could fail: some addresses work once. Without an answer it is the shell.
 */
async function page(event) {
  const kept = NO_SCREENS.test(new URL(event.request.url).pathname) ? undefined : await inShell(SHELL_PAGE)
  try {
    const answer = Promise.resolve(event.preloadResponse).then((response) => response ?? fetch(event.request))
    const response = await (kept === undefined ? answer : inTime(answer))
    isShellShown = false
    return response
  } catch {
    isShellShown = kept !== undefined
    return kept ?? (await inShell(OFFLINE_PAGE)) ?? Response.error()
  }
}

/** The configuration from the network, else the last one, marked as such. */
async function config({ request }) {
  const kept = await inShell(CONFIG)
  if (kept === undefined) return await fetch(request)
  try {
    if (isShellShown) throw new Error('The server has just not answered')
    return await inTime(fetch(request))
  } catch {
    return new Response(kept.body, { headers: { ...Object.fromEntries(kept.headers), [KEPT_HEADER]: '1' } })
  }
}

/** The answer, unless it is late or that of a proxy without a server. */
async function inTime(answer) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('The server takes long')), PATIENCE_MS)
  })
  const response = await Promise.race([answer, late]).finally(() => clearTimeout(timer))
  if (OUT_OF_SERVICE.has(response.status)) throw new Error('The server is out of service')
  return response
}

async function inShell(path) {
  return await (await caches.open(SHELL)).match(path)
}

async function offlineFile(request) {
  try {
    return await fetch(request)
  } catch {
    return (await inShell(request)) ?? Response.error()
  }
}

/** A file that never changes, so the cached one is as good as the server's. */
async function asset(event) {
  const kept = await inShell(event.request)
  if (kept !== undefined) return kept
  const response = await fetch(event.request)
  if (response.ok && response.type === 'basic') event.waitUntil(keepAsset(event.request, response.clone()))
  return response
}

/** Does nothing if the disk is full. */
async function keepAsset(request, response) {
  if (!(await caches.has(SHELL))) return
  await (await caches.open(SHELL)).put(request, response).catch(() => undefined)
}

let shellInWork

async function keepShell() {
  shellInWork ??= updateShell()
    .catch(() => undefined)
    .finally(() => (shellInWork = undefined))
  await shellInWork
}

/**
 * Keeps the current build. Its files are loaded first, and its page is put last: until then the page that is kept opens the
 * build before, whose files are still there. So no start mixes two builds.
 */
async function updateShell() {
  const cache = await caches.open(SHELL)
  const list = await fetch(SHELL_LIST, { cache: 'no-cache' })
  const text = await list.clone().text()
  const configuration = await fetch(CONFIG)
  if (configuration.ok) await cache.put(CONFIG, configuration)
  if (text === (await (await cache.match(SHELL_LIST))?.text())) return
  const files = JSON.parse(text)
  // One after the other, so that the app has the line for itself.
  for (const file of files) if ((await cache.match(file)) === undefined) await cache.add(file)
  const html = await fetch(SHELL_PAGE, { cache: 'no-cache' })
  const named = (await html.clone().text()).match(/\/assets\/[\w.-]+/gu) ?? []
  // Another process may serve another build. The next start tries again.
  if (!html.ok || !named.every((file) => files.includes(file))) return
  await keepOfflineFiles()
  await cache.put(SHELL_PAGE, html)
  await cache.put(SHELL_LIST, list)
  await removeOldAssets(cache, new Set(files))
}

async function removeOldAssets(cache, current) {
  const requests = await cache.keys()
  const old = requests.filter(({ url }) => {
    const { pathname } = new URL(url)
    return pathname.startsWith(ASSETS) && !current.has(pathname)
  })
  const tooOld = old.slice(0, Math.max(0, old.length - MOST_OLD_ASSETS))
  await Promise.all(tooOld.map((request) => cache.delete(request)))
}

/** A stored picture never changes. If this size was never seen, another one is better than none. */
async function image(event) {
  const kept = await keptImage(event.request)
  if (kept !== undefined) return kept
  try {
    const response = await fetch(event.request)
    if (response.ok && response.type === 'basic' && (await caches.has(IMAGES))) {
      event.waitUntil(keepImage(event.request, response.clone()))
    }
    return response
  } catch {
    return (await otherSize(event.request.url)) ?? Response.error()
  }
}

async function keptImage(request) {
  return await caches.match(request, { cacheName: IMAGES })
}

async function otherSize(url) {
  const [, name] = STORED_IMAGE.exec(new URL(url).pathname)
  const others = await Promise.all(WIDTHS.map((width) => keptImage(`/images/${name}-${width}.webp`)))
  return others.find((response) => response !== undefined)
}

/**
 * Works with the pictures if this device keeps some. Opening a cache makes it, so the page removes it under the same lock
 * (web/src/offline/pictures.ts), and no picture that is on its way brings it back.
 */
async function withImages(work) {
  await navigator.locks.request(IMAGES, async () => {
    if (await caches.has(IMAGES)) await work(await caches.open(IMAGES))
  })
}

let imagesSinceTrim = IMAGES_BETWEEN_TRIMS

async function keepImage(request, response) {
  // The rest of it may take a while, or never come. The page should not wait for the lock meanwhile.
  const content = await response.blob().catch(() => undefined)
  if (content === undefined) return
  const whole = new Response(content, { headers: response.headers })
  // The disk may be full.
  await withImages(async (cache) => await cache.put(request, whole).catch(() => undefined))
  imagesSinceTrim += 1
  if (imagesSinceTrim < IMAGES_BETWEEN_TRIMS) return
  imagesSinceTrim = 0
  await removeOldImages()
}

/** Pictures that were shown before this worker was in charge. The browser's own cache has them. */
async function keepImages(paths) {
  for (const path of paths.filter((one) => STORED_IMAGE.test(one))) {
    if (!(await caches.has(IMAGES))) return
    if ((await keptImage(path)) !== undefined) continue
    const response = await fetch(path).catch(() => undefined)
    if (response?.ok === true) await keepImage(path, response)
  }
}

async function removeOldImages() {
  await withImages(async (cache) => {
    let bytes = 0
    const newestFirst = (await cache.keys()).reverse()
    for (const request of newestFirst) {
      bytes += (await (await cache.match(request))?.blob())?.size ?? 0
      if (bytes > MOST_IMAGE_BYTES) await cache.delete(request)
    }
  })
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
  const cache = await caches.open(PUSH)
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
