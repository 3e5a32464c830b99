// Every browser has this name. Without it, the arithmetic that the client libraries choose is half as fast, and not the one
// that users run.
Object.defineProperty(globalThis.navigator, 'appName', { value: 'Netscape', configurable: true })
