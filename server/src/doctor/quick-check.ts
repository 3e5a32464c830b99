// A process of its own: SQLite reads a large file without a pause, and no thread could be stopped meanwhile.
import { connectToLook } from './look-at-sqlite.ts'

const [path = ''] = process.argv.slice(2)
const database = connectToLook(path)
process.stdout.write(String(database.prepare('pragma quick_check(1)').get()?.['quick_check']))
database.close()
