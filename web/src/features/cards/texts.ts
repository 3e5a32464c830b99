import i18next from 'i18next'

import moviecard from '#web/i18n/locales/en/moviecard.json'

function addCardTexts(): void {
  i18next.addResourceBundle('en', 'moviecard', moviecard)
}

// A test may load this module before the texts are set up.
if (i18next.isInitialized) addCardTexts()
else i18next.on('initialized', addCardTexts)
