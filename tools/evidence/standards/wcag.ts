import type { Standard } from '../standard.ts'

const NO_MEDIA = 'Marquee plays no audio or video.'

/** https://www.w3.org/TR/WCAG22/ */
export const wcag: Standard = {
  id: 'wcag',
  title: 'Accessibility: WCAG 2.2, levels A and AA',
  intro: `How the web app meets the 55 criteria of the [Web Content Accessibility Guidelines 2.2](https://www.w3.org/TR/WCAG22/) of levels
A and AA. Journeys open the screens in Chromium, in light and dark, at 320 and 1280 pixels.

**What was not done:** no one outside the project audited this, no user of a screen reader, of magnification or of voice control
tried it, and only Chromium was used. axe finds a part of all faults: whether a name makes sense, and whether the order of a screen
can be understood, was judged by its authors. Mails and the calls of the API are not part of this page. Movie titles, descriptions,
pictures and comments come from users, who can write them in any language and give no text for a picture.`,
  groups: [
    {
      title: '1 Perceivable',
      requirements: [
        {
          id: '1.1.1',
          level: 'A',
          says: 'a text in place of each picture and icon',
          answer: {
            met: 'tested',
            note: 'axe requires a name or a mark as decoration; posters have the title beside them',
          },
        },
        {
          id: '1.2.1',
          level: 'A',
          says: 'text for recorded audio and silent video',
          answer: { met: 'not-applicable', reason: NO_MEDIA },
        },
        {
          id: '1.2.2',
          level: 'A',
          says: 'captions for recorded video',
          answer: { met: 'not-applicable', reason: NO_MEDIA },
        },
        {
          id: '1.2.3',
          level: 'A',
          says: 'a description of recorded video',
          answer: { met: 'not-applicable', reason: NO_MEDIA },
        },
        {
          id: '1.2.4',
          level: 'AA',
          says: 'captions for live video',
          answer: { met: 'not-applicable', reason: NO_MEDIA },
        },
        {
          id: '1.2.5',
          level: 'AA',
          says: 'a spoken description of recorded video',
          answer: { met: 'not-applicable', reason: NO_MEDIA },
        },
        { id: '1.3.1', level: 'A', says: 'structure that is seen is in the markup too', answer: { met: 'tested' } },
        {
          id: '1.3.2',
          level: 'A',
          says: 'a reading order that makes sense',
          answer: {
            met: 'partly',
            missing:
              'the order of the markup is that of the screen where the keyboard was tried; no test compares the two on every screen',
          },
        },
        {
          id: '1.3.3',
          level: 'A',
          says: 'instructions do not rely on shape, place or sound',
          answer: {
            met: 'by-design',
            reason: 'the [texts](web/src/i18n/locales/en/moviecard.json) name controls by their words',
          },
        },
        {
          id: '1.3.4',
          level: 'AA',
          says: 'works upright and sideways',
          answer: {
            met: 'by-design',
            reason: 'the [manifest](web/public/manifest.webmanifest) and the styles fix no orientation',
          },
        },
        { id: '1.3.5', level: 'AA', says: 'fields about the user say what they are for', answer: { met: 'tested' } },
        {
          id: '1.4.1',
          level: 'A',
          says: 'colour is not the only sign',
          answer: { met: 'tested', note: 'a card says its status in words; axe checks links in texts' },
        },
        { id: '1.4.2', level: 'A', says: 'sound can be stopped', answer: { met: 'not-applicable', reason: NO_MEDIA } },
        { id: '1.4.3', level: 'AA', says: 'texts have a contrast of 4.5 to 1', answer: { met: 'tested' } },
        {
          id: '1.4.4',
          level: 'AA',
          says: 'text can be twice as large',
          answer: { met: 'tested', note: '640 pixels of a browser at 200 % are 320 of the page' },
        },
        {
          id: '1.4.5',
          level: 'AA',
          says: 'no pictures of text',
          answer: {
            met: 'by-design',
            reason:
              'all texts are text, drawn with two [fonts](web/src/ui/theme.css); posters are pictures of users, and the picture of a year repeats its screen',
          },
        },
        {
          id: '1.4.10',
          level: 'AA',
          says: 'nothing scrolls in two directions at 320 pixels',
          answer: { met: 'tested' },
        },
        { id: '1.4.11', level: 'AA', says: 'edges and icons have a contrast of 3 to 1', answer: { met: 'tested' } },
        {
          id: '1.4.12',
          level: 'AA',
          says: 'wider spacing of text loses nothing',
          answer: { met: 'tested', note: 'on the screens of the test' },
        },
        {
          id: '1.4.13',
          level: 'AA',
          says: 'what appears on hover or focus can be dismissed, hovered, and stays',
          answer: { met: 'tested', note: 'tooltips, the only content of this kind' },
        },
      ],
    },
    {
      title: '2 Operable',
      requirements: [
        {
          id: '2.1.1',
          level: 'A',
          says: 'all functions with a keyboard',
          answer: { met: 'tested', note: 'the main job and the controls of our own; others are those of the browser' },
        },
        { id: '2.1.2', level: 'A', says: 'the keyboard can leave each part', answer: { met: 'tested' } },
        {
          id: '2.1.4',
          level: 'A',
          says: 'shortcuts of one letter can be turned off',
          answer: {
            met: 'not-applicable',
            reason: 'there are none; any key ends the turn of a revealed card early, which changes nothing',
          },
        },
        {
          id: '2.2.1',
          level: 'A',
          says: 'time limits can be turned off or extended',
          answer: {
            met: 'partly',
            missing:
              'a session renews itself, but the offer to undo a decision ends after ten seconds for everyone, and codes end after minutes (a new one can be requested)',
          },
        },
        {
          id: '2.2.2',
          level: 'A',
          says: 'what moves or updates by itself can be paused',
          answer: {
            met: 'partly',
            missing:
              'revealed cards and new comments of others wait until the user asks for them; other changes by members appear at once and cannot be paused',
          },
        },
        {
          id: '2.3.1',
          level: 'A',
          says: 'nothing flashes more than three times a second',
          answer: {
            met: 'by-design',
            reason: 'no [animation](web/src/ui/theme.css) flashes; the quickest repeated one lasts half a second',
          },
        },
        { id: '2.4.1', level: 'A', says: 'a way past what repeats', answer: { met: 'tested' } },
        { id: '2.4.2', level: 'A', says: 'pages have titles that say what they are', answer: { met: 'tested' } },
        { id: '2.4.3', level: 'A', says: 'the focus moves in an order that makes sense', answer: { met: 'tested' } },
        {
          id: '2.4.4',
          level: 'A',
          says: 'links say where they lead',
          answer: { met: 'tested', note: 'that each has a name; whether it makes sense was judged by reading' },
        },
        { id: '2.4.5', level: 'AA', says: 'more than one way to a page', answer: { met: 'tested' } },
        {
          id: '2.4.6',
          level: 'AA',
          says: 'headings and labels describe',
          answer: {
            met: 'by-design',
            reason:
              'each screen has a heading and each field a label, all in the [texts](web/src/i18n/locales/en/auth-screens.json), read by their authors',
          },
        },
        { id: '2.4.7', level: 'AA', says: 'the focus is visible', answer: { met: 'tested' } },
        {
          id: '2.4.11',
          level: 'AA',
          says: 'the focus is not wholly hidden behind a bar',
          answer: { met: 'tested', note: 'on the screens of the test' },
        },
        {
          id: '2.5.1',
          level: 'A',
          says: 'gestures of one point suffice',
          answer: { met: 'not-applicable', reason: 'no function needs a path or two fingers' },
        },
        {
          id: '2.5.2',
          level: 'A',
          says: 'a press can be cancelled',
          answer: {
            met: 'by-design',
            reason: 'actions are clicks of [buttons](web/src/ui/button.tsx), which come at the release',
          },
        },
        {
          id: '2.5.3',
          level: 'A',
          says: 'names begin with the visible label',
          answer: {
            met: 'partly',
            missing: 'most buttons repeat their words in their name, but no test compares them',
          },
        },
        {
          id: '2.5.4',
          level: 'A',
          says: 'nothing needs shaking or tilting',
          answer: { met: 'not-applicable', reason: 'no sensor is read' },
        },
        {
          id: '2.5.7',
          level: 'AA',
          says: 'dragging has another way',
          answer: { met: 'tested', note: 'only pictures and files can be dragged; a button chooses them' },
        },
        { id: '2.5.8', level: 'AA', says: 'targets of 24 pixels', answer: { met: 'tested', note: 'on phones 44' } },
      ],
    },
    {
      title: '3 Understandable',
      requirements: [
        { id: '3.1.1', level: 'A', says: 'the page says its language', answer: { met: 'tested' } },
        {
          id: '3.1.2',
          level: 'AA',
          says: 'parts in another language say so',
          answer: {
            met: 'partly',
            missing:
              'names of languages and fixed English sentences do; the language of titles and comments that users write is unknown',
          },
        },
        {
          id: '3.2.1',
          level: 'A',
          says: 'the focus changes nothing by itself',
          answer: {
            met: 'by-design',
            reason:
              'a focus only opens a [tooltip](web/src/ui/tooltip.tsx); no other handler of a focus changes the page',
          },
        },
        {
          id: '3.2.2',
          level: 'A',
          says: 'input changes nothing unexpected',
          answer: {
            met: 'partly',
            missing:
              'forms wait for their button, but a few choices apply at once, such as the language in its list and filters; no text says so before',
          },
        },
        { id: '3.2.3', level: 'AA', says: 'navigation is in the same order everywhere', answer: { met: 'tested' } },
        {
          id: '3.2.4',
          level: 'AA',
          says: 'the same function has the same name',
          answer: {
            met: 'by-design',
            reason:
              'words of the product are fixed in the [glossary](docs/glossary.md), and a [check](tools/checks/words.test.ts) refuses replaced ones',
          },
        },
        {
          id: '3.2.6',
          level: 'A',
          says: 'help is in the same place everywhere',
          answer: {
            met: 'not-applicable',
            reason: 'there is no help, contact or chat: each installation has an operator of its own',
          },
        },
        { id: '3.3.1', level: 'A', says: 'errors are named in text at their field', answer: { met: 'tested' } },
        { id: '3.3.2', level: 'A', says: 'fields have labels', answer: { met: 'tested' } },
        { id: '3.3.3', level: 'AA', says: 'errors say how to fix them', answer: { met: 'tested' } },
        {
          id: '3.3.4',
          level: 'AA',
          says: 'deletions can be undone, checked or confirmed',
          answer: { met: 'tested', note: 'watchlists, members, pictures and cards' },
        },
        {
          id: '3.3.7',
          level: 'A',
          says: 'nothing is typed twice in one process',
          answer: {
            met: 'partly',
            missing:
              'the address is kept from step to step, but the password is typed twice at sign-up and again after the verification',
          },
        },
        {
          id: '3.3.8',
          level: 'AA',
          says: 'a sign-in without a test of memory',
          answer: { met: 'tested', note: 'passkeys, and fields that password managers fill' },
        },
      ],
    },
    {
      title: '4 Robust',
      requirements: [
        { id: '4.1.2', level: 'A', says: 'controls have a name, a role and a state', answer: { met: 'tested' } },
        { id: '4.1.3', level: 'AA', says: 'messages are announced without the focus', answer: { met: 'tested' } },
      ],
    },
  ],
}
