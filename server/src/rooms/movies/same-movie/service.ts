export { compareMovies, compareNamesakes, isAlike, plainTitlesOf, type Titled } from './compare.ts'
export { foldWords, movieKeys, plainTitle, titleKey, titleKeys, wordsOf } from './names.ts'
