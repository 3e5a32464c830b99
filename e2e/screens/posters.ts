import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import type { Browser } from '@playwright/test'

const FONT =
  '../../node_modules/@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-standard-normal.woff2'
const WIDTH = 600
const HEIGHT = 900

/** A poster of 600 by 900 pixels: SVG elements for its drawing and for its words. */
type Poster = { ground: string; art: string; words: string }

const word = (text: string, x: number, y: number, size: number, fill: string, more = ''): string =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" ${more}>${text}</text>`
const small = (text: string, y: number, fill: string): string =>
  `<text x="300" y="${y}" font-size="21" letter-spacing="5" text-anchor="middle" fill="${fill}" style="font-weight:600">${text}</text>`
const times = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('')

/** The posters of invented films, by title. */
const POSTERS: Readonly<Record<string, Poster>> = {
  'Night Tram': {
    ground: '#101c3a',
    art: `<path d="M300 470 L-40 900 L640 900 Z" fill="#f7c948" opacity=".16"/>
      <circle cx="470" cy="130" r="54" fill="#f3ead2"/>
      <path d="M0 265 H600 M300 265 V330" stroke="#3d5187" stroke-width="5"/>
      <rect x="150" y="330" width="300" height="330" rx="46" fill="#d9432f"/>
      <rect x="182" y="372" width="236" height="128" rx="16" fill="#f7c948"/>
      <circle cx="205" cy="590" r="24" fill="#fff3c4"/><circle cx="395" cy="590" r="24" fill="#fff3c4"/>
      <path d="M250 590 h100" stroke="#101c3a" stroke-width="12" stroke-linecap="round"/>`,
    words: word('NIGHT', 42, 790, 126, '#f3ead2') + word('TRAM', 42, 876, 126, '#f7c948'),
  },
  'Low Tide': {
    ground: '#f4e4c8',
    art: `<circle cx="300" cy="360" r="190" fill="#e4572e"/>
      ${times(7, (index) => `<path d="M0 ${430 + index * 68} q75 -46 150 0 t150 0 t150 0 t150 0 V900 H0 Z" fill="${['#2d6a73', '#255a64', '#1e4b55', '#183d46', '#123038', '#0d252c', '#091b21'][index]}"/>`)}`,
    words: word('LOW', 46, 150, 148, '#123038') + word('TIDE', 554, 800, 148, '#f4e4c8', 'text-anchor="end"'),
  },
  'Paper Lions': {
    ground: '#f2a03d',
    art: `${times(14, (index) => `<path d="M300 420 L262 160 L338 160 Z" fill="${index % 2 === 0 ? '#b5471b' : '#d9641e'}" transform="rotate(${(index * 360) / 14} 300 420)"/>`)}
      <path d="M300 260 L430 380 L390 540 L300 610 L210 540 L170 380 Z" fill="#fbe3b5"/>
      <path d="M300 260 L430 380 L300 430 Z" fill="#f3cf8e"/><path d="M300 430 L390 540 L300 610 Z" fill="#eebc6d"/>
      <path d="M262 470 h76 l-38 48 Z" fill="#3b1a0b"/>
      <circle cx="244" cy="410" r="15" fill="#3b1a0b"/><circle cx="356" cy="410" r="15" fill="#3b1a0b"/>`,
    words:
      word('PAPER', 300, 770, 124, '#3b1a0b', 'text-anchor="middle"') +
      word('LIONS', 300, 868, 124, '#fff4dc', 'text-anchor="middle"'),
  },
  'The Understudy': {
    ground: '#7a0f1e',
    art: `${times(10, (index) => `<path d="M${index * 60} 0 h60 V900 h-60 Z" fill="#000" opacity="${index % 2 === 0 ? '.22' : '0'}"/>`)}
      <path d="M300 -40 L120 690 H480 Z" fill="#ffe9a8" opacity=".32"/>
      <ellipse cx="300" cy="690" rx="180" ry="46" fill="#ffe9a8"/>
      <path d="M292 690 V500 h16 V690 Z M252 690 q48 -26 96 0 Z" fill="#2b0409"/>
      <circle cx="300" cy="470" r="72" fill="#fff6e0" opacity=".28"/><circle cx="300" cy="470" r="34" fill="#fff6e0"/>`,
    words:
      word('THE', 46, 120, 76, '#ffe9a8') +
      word('UNDER', 46, 208, 112, '#fff6e0') +
      word('STUDY', 46, 300, 112, '#fff6e0') +
      small('ONE NIGHT ONLY, FOR ELEVEN YEARS', 840, '#ffe9a8'),
  },
  'Seven Lighthouses': {
    ground: '#0b0b0f',
    art: `${times(7, (index) => {
      const x = 52 + index * 76
      const top = 300 + Math.abs(3 - index) * 62
      return `<path d="M${x + 20} ${top} L${index < 4 ? '-60' : '660'} ${top - 130} L${index < 4 ? '-60' : '660'} ${top - 30} Z" fill="#ffd166" opacity=".2"/>
        <rect x="${x}" y="${top}" width="40" height="${720 - top}" fill="#f7f3ea"/>
        ${times(4, (band) => `<rect x="${x}" y="${top + 60 + band * 78}" width="40" height="${Math.max(0, Math.min(36, 720 - top - 60 - band * 78))}" fill="#d7263d"/>`)}
        <circle cx="${x + 20}" cy="${top}" r="20" fill="#ffd166"/>`
    })}<rect y="720" width="600" height="180" fill="#12355b"/>`,
    words:
      word('SEVEN', 300, 130, 128, '#ffd166', 'text-anchor="middle"') +
      word('LIGHTHOUSES', 300, 824, 79, '#f7f3ea', 'text-anchor="middle"'),
  },
  'Orbit, Slowly': {
    ground: '#251447',
    art: `${times(5, (index) => `<ellipse cx="300" cy="400" rx="${110 + index * 62}" ry="${42 + index * 26}" fill="none" stroke="#b79cf2" stroke-width="3" opacity="${0.9 - index * 0.14}" transform="rotate(-22 300 400)"/>`)}
      <circle cx="300" cy="400" r="84" fill="#ff7f6a"/><path d="M300 316 a84 84 0 0 1 0 168 a120 120 0 0 0 0 -168" fill="#d95b5b"/>
      <circle cx="486" cy="262" r="22" fill="#ffe3a3"/><circle cx="90" cy="560" r="13" fill="#9fe3d6"/>`,
    words: word('Orbit,', 46, 760, 132, '#f6edff') + word('slowly', 46, 862, 132, '#ff7f6a'),
  },
  'A House of Weather': {
    ground: '#cfe0e8',
    art: `${times(30, (index) => `<path d="M${(index * 113) % 620} ${((index * 197) % 480) + 235} l-22 70" stroke="#5b7f95" stroke-width="7" stroke-linecap="round"/>`)}
      <path d="M90 560 L300 350 L510 560 Z" fill="#20323d"/><rect x="130" y="560" width="340" height="220" fill="#f6f1e4"/>
      <rect x="170" y="600" width="90" height="90" fill="#f2b705"/><rect x="340" y="600" width="90" height="180" fill="#20323d"/>
      <rect y="780" width="600" height="120" fill="#6d8f57"/>`,
    words: word('A HOUSE', 46, 130, 104, '#20323d') + word('OF WEATHER', 46, 212, 78, '#20323d'),
  },
}

/** Draws all posters in the browser. Returns a data URL for each title. */
export async function drawPosters(browser: Browser): Promise<ReadonlyMap<string, string>> {
  const font = (await readFile(fileURLToPath(new URL(FONT, import.meta.url)))).toString('base64')
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT }, isMobile: false })
  const drawn = new Map<string, string>()
  for (const [title, { ground, art, words }] of Object.entries(POSTERS)) {
    await page.setContent(`<style>
      @font-face { font-family: Title; font-weight: 200 800; src: url(data:font/woff2;base64,${font}) }
      body { margin: 0 } text { font-family: Title; font-weight: 800; letter-spacing: -0.02em }
    </style>
    <svg width="${WIDTH}" height="${HEIGHT}" style="display:block;background:${ground}">${art}${words}</svg>`)
    await page.evaluate(async () => await document.fonts.load('800 40px Title'))
    drawn.set(title, `data:image/png;base64,${(await page.screenshot()).toString('base64')}`)
  }
  await page.close()
  return drawn
}
