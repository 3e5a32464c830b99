/** All texts of this language, by file. */
export const texts = import.meta.glob('./de/*.json', { eager: true, import: 'default' })
