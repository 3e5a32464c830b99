/* oxlint-disable no-restricted-globals, typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return, typescript/promise-function-async
   -- served as it stands here: a worker of the browser, without types, that answers for the network */

// Makes the app installable and gives it a page of its own without a connection. It never serves a stale app: pages come
// from the network or are the offline page, and only files whose name holds the hash of their content are kept.

const CACHE = 'marquee-1'
const OFFLINE_PAGE = '/offline.html'
const OFFLINE_FILES = [OFFLINE_PAGE, '/offline.css', '/theme.js', '/favicon.svg']
const ASSETS = '/assets/'
/** Some releases' worth; the oldest go first. */
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
 * Wherever the browser goes: from the network, whose first bytes may be on their way since before this worker woke up.
 * What was asked for so early must be used, or the browser asks a second time, and some answers can be had once.
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

/** A file that never changes: what is kept is as good as what the network has. */
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
