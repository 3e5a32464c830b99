/** All texts of this language, by file. */
export const texts = import.meta.glob('./es/*.json', { eager: true, import: 'default' })
