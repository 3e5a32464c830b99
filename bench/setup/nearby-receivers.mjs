// Loaded into the server before its program: its connections to the internet go to the port RECEIVERS_PORT of this machine,
// because no setting lets webhooks go to a machine nearby.
import { Socket } from 'node:net'
import process from 'node:process'

const port = Number(process.env.RECEIVERS_PORT)
const connect = Reflect.get(Socket.prototype, 'connect')

Socket.prototype.connect = function (...args) {
  // node:net has put what it was given into a list already.
  const [[options]] = args
  Object.assign(options, { host: '127.0.0.1', port })
  return connect.apply(this, args)
}
