/** The languages of the app, by their BCP 47 tags. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt-BR', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]
