import type { Browser } from '@playwright/test'

const SIDE = 400

/** The colours and the hair of a face. */
type Face = { ground: string; skin: string; hair: string; shirt: string; cut: string; more?: string }

/** Invented faces, by the name of the user. */
const FACES: Readonly<Record<string, Face>> = {
  Mia: {
    ground: '#f2a03d',
    skin: '#f3cfa9',
    hair: '#5a2310',
    shirt: '#123038',
    cut: 'M92 330 Q70 120 200 84 Q330 120 308 330 Q282 360 268 300 Q286 190 214 168 Q140 190 132 300 Q118 360 92 330 Z',
  },
  Jonas: {
    ground: '#2d6a73',
    skin: '#e8b48a',
    hair: '#e2c26a',
    shirt: '#f4e4c8',
    cut: 'M118 190 Q110 92 204 84 Q296 92 284 196 Q262 140 200 148 Q142 146 118 190 Z',
    more: '<path d="M134 232 Q140 322 200 326 Q260 322 266 232 Q262 276 200 276 Q140 276 134 232 Z" fill="#e2c26a"/><path d="M176 276 q24 14 48 0" stroke="#7a3b2a" stroke-width="7" fill="none" stroke-linecap="round"/>',
  },
  Ada: {
    ground: '#251447',
    skin: '#8f5a3c',
    hair: '#16101c',
    shirt: '#ff7f6a',
    cut: 'M96 206 Q70 70 200 60 Q330 70 304 206 Q300 150 262 146 Q200 170 140 146 Q100 150 96 206 Z',
    more: '<g fill="none" stroke="#ffe3a3" stroke-width="7"><circle cx="164" cy="216" r="30"/><circle cx="236" cy="216" r="30"/><path d="M194 214 q6 -6 12 0"/></g>',
  },
}

/** Draws all faces in the browser. Returns a data URL for each name. */
export async function drawFaces(browser: Browser): Promise<ReadonlyMap<string, string>> {
  const page = await browser.newPage({ viewport: { width: SIDE, height: SIDE }, isMobile: false })
  const drawn = new Map<string, string>()
  for (const [name, { ground, skin, hair, shirt, cut, more = '' }] of Object.entries(FACES)) {
    await page.setContent(`<style>body { margin: 0 }</style>
      <svg width="${SIDE}" height="${SIDE}" style="display:block;background:${ground}">
        <path d="M40 420 Q60 320 200 316 Q340 320 360 420 Z" fill="${shirt}"/>
        <path d="M168 270 h64 v56 q-32 26 -64 0 Z" fill="${skin}"/><ellipse cx="200" cy="212" rx="74" ry="88" fill="${skin}"/>
        <circle cx="166" cy="216" r="9" fill="#221d26"/><circle cx="234" cy="216" r="9" fill="#221d26"/>
        <path d="M174 262 q26 22 52 0" stroke="#7a3b2a" stroke-width="7" fill="none" stroke-linecap="round"/>
        ${more}<path d="${cut}" fill="${hair}"/>
      </svg>`)
    drawn.set(name, `data:image/png;base64,${(await page.screenshot()).toString('base64')}`)
  }
  await page.close()
  return drawn
}

/** Draws the image of the film club, the seats of a cinema, as a data URL of 3:2. */
export async function drawCover(browser: Browser): Promise<string> {
  const page = await browser.newPage({ viewport: { width: 960, height: 640 }, isMobile: false })
  const seats = Array.from({ length: 24 }, (_, index) => {
    const row = Math.floor(index / 8)
    const x = (index % 8) * 130 - 40 + (row % 2) * 62
    const y = 380 + row * 86
    return `<path d="M${x} ${y + 150} v-96 q0 -44 44 -44 h24 q44 0 44 44 v96 Z" fill="${['#5d0b17', '#7a0f1e', '#9b1a2b'][row]}"/>`
  })
  await page.setContent(`<style>body { margin: 0 }</style>
    <svg width="960" height="640" style="display:block;background:#16101c">
      <path d="M480 60 L-60 640 H1020 Z" fill="#ffe9a8" opacity=".08"/>
      <rect x="190" y="60" width="580" height="260" rx="8" fill="#fff6e0"/>
      <path d="M190 320 L120 400 H840 L770 320 Z" fill="#ffe9a8" opacity=".1"/>
      <circle cx="480" cy="190" r="86" fill="none" stroke="#e4572e" stroke-width="10"/>
      <path d="M480 78 v224 M336 190 h288" stroke="#e4572e" stroke-width="5"/>
      <path d="M448 132 l84 58 l-84 58 Z" fill="#8f4d00"/>
      ${seats.join('')}
    </svg>`)
  const cover = `data:image/png;base64,${(await page.screenshot()).toString('base64')}`
  await page.close()
  return cover
}
