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

/** What a handler throws where a header that no schema knows is wrong: a 400 that names it, like those of the schemas. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest'
  readonly validationContext = 'headers'
  readonly validation: readonly { instancePath: string; message: string }[]

  constructor(header: string, message: string) {
    super(`${header}: ${message}`)
    this.validation = [{ instancePath: `/${header}`, message }]
  }
}
