/** All texts of this language, by file. */
export const texts = import.meta.glob('./fr/*.json', { eager: true, import: 'default' })
