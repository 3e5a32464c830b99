// Lays out the artefact for this machine in an empty folder, with the web app that is built: `node tools/release/lay-out.mjs FOLDER`.
import { join } from 'node:path'
import process from 'node:process'

import { root } from '../run/dependencies.mjs'
import { stage } from './stage.mjs'

const [folder] = process.argv.slice(2)
const platforms = [`${process.platform}-${process.arch}`]
await stage(folder, { web: join(root, 'web', 'dist'), version: '0.0.0', platforms })
