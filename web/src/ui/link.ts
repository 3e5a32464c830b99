/** The look of a link in running text; the element is the router's. */
export const linkStyle = 'font-medium text-accent underline underline-offset-3 hover:text-accent-strong'
