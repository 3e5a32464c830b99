/** All texts of this language, by file. */
export const texts = import.meta.glob('./ar/*.json', { eager: true, import: 'default' })
