// Two small screens of one place, in one file.
export { Component as Library } from './library.tsx'
export { Component as Suggestions } from './suggestions.tsx'
