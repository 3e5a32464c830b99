/** The message about a file that breaks a limit of its parser. */
export const TOO_COMPLEX = 'The file is too complex: it has too many parts, or they are nested too deeply'
