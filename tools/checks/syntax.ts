import { createRequire } from 'node:module'
import { extname, join, relative } from 'node:path'

import { type Comment, type Expression, parseSync, type Program, Visitor, type VisitorObject } from 'oxc-parser'

import { read, repositoryFiles, root } from './repository.ts'

export type Source = {
  path: string
  program: Program
  /** Comments without their marks; lines that belong together are one text. */
  comments: readonly string[]
}

let parsed: readonly Source[] | undefined

/** Every TypeScript and JavaScript file of the repository. */
export function sources(): readonly Source[] {
  parsed ??= repositoryFiles()
    .filter((path) => ['.ts', '.tsx', '.mjs'].includes(extname(path)))
    .map(parse)
  return parsed
}

export function parse(path: string): Source {
  const text = read(path)
  const { program, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  return { path, program, comments: textsOf(comments, text) }
}

function textsOf(comments: readonly Comment[], source: string): string[] {
  const texts: string[] = []
  let end = -1
  for (const comment of comments) {
    const text = comment.value
      .replaceAll(/\s*\n\s*\*?\s*/gu, ' ')
      .replace(/^\*/u, '')
      .trim()
    const continues = comment.type === 'Line' && end >= 0 && /^\s*\n[ \t]*$/u.test(source.slice(end, comment.start))
    if (continues) texts.push(`${texts.pop()} ${text}`)
    else texts.push(text)
    end = comment.type === 'Line' ? comment.end : -1
  }
  return texts
}

export function visit({ program }: Source, visitor: VisitorObject): void {
  new Visitor(visitor).visit(program)
}

/** The files of the repository that a source imports or re-exports, types included. */
export function importsOf(source: Source): string[] {
  const requests = new Set<string>()
  visit(source, {
    ImportDeclaration: ({ source: { value } }) => requests.add(value),
    ExportAllDeclaration: ({ source: { value } }) => requests.add(value),
    ExportNamedDeclaration: ({ source: from }) => from && requests.add(from.value),
    ImportExpression: ({ source: from }) =>
      from.type === 'Literal' && typeof from.value === 'string' && requests.add(from.value),
    TSImportType: ({ source: { value } }) => requests.add(value),
  })
  const { resolve } = createRequire(join(root, source.path))
  return [...requests]
    .filter((request) => /^(?:\.|#web\/|@marquee\/)/u.test(request))
    .map((request) => relative(root, resolve(request.replace(/\?.*$/u, ''))))
}

/** The titles of tests and groups, with an ellipsis for each computed part. */
export function titlesOf(source: Source): string[] {
  const titles: string[] = []
  visit(source, {
    CallExpression({ callee, arguments: [title] }) {
      if (!['test', 'it', 'describe'].includes(calledName(callee))) return
      if (title?.type === 'Literal' && typeof title.value === 'string') titles.push(title.value)
      if (title?.type === 'TemplateLiteral') titles.push(title.quasis.map(({ value }) => value.cooked).join('…'))
    },
  })
  return titles
}

/** `test` for `test(…)`, `test.skip(…)` and `test.each(…)(…)`. */
function calledName(callee: Expression): string {
  if (callee.type === 'Identifier') return callee.name
  if (callee.type === 'MemberExpression') return calledName(callee.object)
  return callee.type === 'CallExpression' ? calledName(callee.callee) : ''
}

/** All string literals, and the fixed parts of templates with computed parts. */
export function stringsOf(source: Source): { literals: string[]; templates: string[][] } {
  const literals: string[] = []
  const templates: string[][] = []
  visit(source, {
    Literal: ({ value }) => typeof value === 'string' && literals.push(value),
    TemplateLiteral: ({ quasis }) => {
      const parts = quasis.map(({ value }) => value.cooked ?? '')
      if (parts.length === 1) literals.push(...parts)
      else templates.push(parts)
    },
  })
  return { literals, templates }
}

/** The keys of the object that a file declares as `name`. */
export function keysOfConstant(source: Source, name: string): string[] {
  const keys: string[] = []
  visit(source, {
    VariableDeclarator({ id, init }) {
      if (id.type !== 'Identifier' || id.name !== name) return
      let object = init
      while (object?.type === 'TSAsExpression' || object?.type === 'TSSatisfiesExpression') object = object.expression
      if (object?.type !== 'ObjectExpression') throw new Error(`${name} is not an object`)
      for (const property of object.properties) {
        if (property.type === 'Property' && property.key.type === 'Literal') keys.push(String(property.key.value))
      }
    },
  })
  return keys
}
