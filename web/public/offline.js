/* oxlint-disable no-restricted-globals, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return
   -- served without a build step, apart from the app and without types */

// The offline page in the language of the app. It is left as soon as the server answers again: the browser only knows whether
// there is a network at all.

const LOOK_MS = 2_000

/** For each language of the app (contract/src/base/languages.ts). */
const TEXTS = {
  en: {
    title: 'Offline',
    heading: 'You are offline',
    text: 'Marquee needs a connection to open. What you were typing is kept in this tab.',
    again: 'Try again',
  },
  de: {
    title: 'Offline',
    heading: 'Du bist offline',
    text: 'Marquee braucht eine Verbindung, um zu starten. Was du gerade geschrieben hast, bleibt in diesem Tab erhalten.',
    again: 'Erneut versuchen',
  },
  fr: {
    title: 'Hors ligne',
    heading: 'Tu es hors ligne',
    text: 'Marquee a besoin d’une connexion pour s’ouvrir. Ce que tu étais en train d’écrire est conservé dans cet onglet.',
    again: 'Réessayer',
  },
  es: {
    title: 'Sin conexión',
    heading: 'No tienes conexión',
    text: 'Marquee necesita conexión para abrirse. Lo que estabas escribiendo se conserva en esta pestaña.',
    again: 'Reintentar',
  },
  'pt-BR': {
    title: 'Sem conexão',
    heading: 'Você está offline',
    text: 'O Marquee precisa de conexão para abrir. O que você estava digitando fica guardado nesta aba.',
    again: 'Tentar de novo',
  },
  ar: {
    title: 'غير متصل',
    heading: 'أنت غير متصل بالإنترنت',
    text: 'لا يمكن فتح Marquee دون اتصال بالإنترنت. ما كنت تكتبه محفوظ في علامة التبويب هذه.',
    again: 'إعادة المحاولة',
  },
}

/** As src/i18n/language.ts does. */
function chosenLanguage() {
  const known = Object.keys(TEXTS)
  const primaryOf = (tag) => tag.toLowerCase().split('-')[0]
  for (const tag of [storedLanguage(), ...navigator.languages]) {
    const found = known.find((one) => one === tag) ?? known.find((one) => primaryOf(one) === primaryOf(tag))
    if (found !== undefined) return found
  }
  return 'en'
}

/** Storage may be blocked, or have no choice. */
function storedLanguage() {
  try {
    return localStorage.getItem('marquee.language') ?? ''
  } catch {
    return ''
  }
}

function translate() {
  const language = chosenLanguage()
  const { title, heading, text, again } = TEXTS[language]
  document.documentElement.lang = language
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr'
  document.title = `${title} · Marquee`
  document.querySelector('h1').textContent = heading
  document.querySelector('p').textContent = text
  document.querySelector('a').textContent = again
}

async function look() {
  try {
    const { ok } = await fetch('/config.json', { cache: 'no-store' })
    if (ok) location.reload()
  } catch {
    // There is still no connection.
  }
}

translate()
addEventListener('online', () => void look())
setInterval(() => void look(), LOOK_MS)
