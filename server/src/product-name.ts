export const PRODUCT_NAME = 'Marquee'
