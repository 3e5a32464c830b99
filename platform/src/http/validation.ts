import type { FastifyError } from 'fastify'

/** One sentence a mistake, each beginning with the name of the field, say `title: Too long`. */
export function describeValidation(error: FastifyError): string {
  const where = error.validationContext ?? 'body'
  const mistakes = (error.validation ?? []).map(({ instancePath, message }) => {
    const field = instancePath.replace(/^\//u, '').replaceAll('/', '.')
    return `${field === '' ? where : field}: ${message ?? 'is not valid'}`
  })
  return mistakes.join('; ')
}
