/** All texts of this language, by file. */
export const texts = import.meta.glob('./pt-BR/*.json', { eager: true, import: 'default' })
