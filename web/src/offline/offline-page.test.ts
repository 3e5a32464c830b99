/// <reference types="node" />
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'

import type { Language } from '@marquee/contract/languages'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const fileOf = (name: string) => readFileSync(join(import.meta.dirname, '../../public', name), 'utf8')
const page = fileOf('offline.html')
// As a script of its own each time.
const script = `(() => {${fileOf('offline.js')}})()`

const PAGES = {
  en: [
    'Offline · Marquee',
    'You are offline',
    'Marquee needs a connection to open. What you were typing is kept in this tab.',
    'Try again',
  ],
  de: [
    'Offline · Marquee',
    'Du bist offline',
    'Marquee braucht eine Verbindung, um zu starten. Was du gerade geschrieben hast, bleibt in diesem Tab erhalten.',
    'Erneut versuchen',
  ],
  fr: [
    'Hors ligne · Marquee',
    'Tu es hors ligne',
    'Marquee a besoin d’une connexion pour s’ouvrir. Ce que tu étais en train d’écrire est conservé dans cet onglet.',
    'Réessayer',
  ],
  es: [
    'Sin conexión · Marquee',
    'No tienes conexión',
    'Marquee necesita conexión para abrirse. Lo que estabas escribiendo se conserva en esta pestaña.',
    'Reintentar',
  ],
  'pt-BR': [
    'Sem conexão · Marquee',
    'Você está offline',
    'O Marquee precisa de conexão para abrir. O que você estava digitando fica guardado nesta aba.',
    'Tentar de novo',
  ],
  ar: [
    'غير متصل · Marquee',
    'أنت غير متصل بالإنترنت',
    'لا يمكن فتح Marquee دون اتصال بالإنترنت. ما كنت تكتبه محفوظ في علامة التبويب هذه.',
    'إعادة المحاولة',
  ],
} satisfies Record<Language, readonly string[]>

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(globalThis, 'addEventListener').mockReturnValue()
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  localStorage.clear()
  document.title = ''
  document.body.innerHTML = ''
  for (const name of ['lang', 'dir']) document.documentElement.removeAttribute(name)
})

function open(preferred: readonly string[]) {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(preferred)
  const { title, body, documentElement: root } = new DOMParser().parseFromString(page, 'text/html')
  document.title = title
  document.documentElement.lang = root.lang
  document.body.innerHTML = body.innerHTML
  runInThisContext(script)
  const { lang, dir } = document.documentElement
  const texts = ['h1', 'p', 'a'].map((name) => document.querySelector(name)?.textContent)
  return { lang, dir, texts: [document.title, ...texts] }
}

test.each(Object.entries(PAGES))('the offline page is shown in the chosen language: %s', (language, texts) => {
  localStorage.setItem('marquee.language', language)

  expect(open(['nl'])).toEqual({ lang: language, dir: language === 'ar' ? 'rtl' : 'ltr', texts })
})

test.each([
  [['nl', 'fr-CA', 'de'], 'fr'],
  [['pt-PT'], 'pt-BR'],
  [['AR-eg'], 'ar'],
  [['nl'], 'en'],
  [[], 'en'],
])('the offline page without a chosen language follows the browser: %j gets %s', (preferred, language) => {
  expect(open(preferred).lang).toBe(language)
})

test('the offline page follows the browser’s language if local storage is blocked', () => {
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError')
  })

  expect(open(['de']).lang).toBe('de')
})
