// What Node 20 lacks of JavaScript. Each program of the artefact imports this first.

Promise.withResolvers ??= function withResolvers() {
  let resolve
  let reject
  const promise = new this((onFulfilled, onRejected) => {
    resolve = onFulfilled
    reject = onRejected
  })
  return { promise, resolve, reject }
}

Map.groupBy ??= (items, groupOf) => {
  const groups = new Map()
  let index = 0
  for (const item of items) {
    const key = groupOf(item, index++)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

Object.groupBy ??= (items, groupOf) =>
  Object.assign(Object.create(null), Object.fromEntries(Map.groupBy(items, (...given) => String(groupOf(...given)))))

// Frees the memory of this buffer, as the original does.
ArrayBuffer.prototype.transfer ??= function transfer(length = this.byteLength) {
  const bytes = new Uint8Array(length)
  bytes.set(new Uint8Array(this, 0, Math.min(length, this.byteLength)))
  structuredClone(this, { transfer: [this] })
  return bytes.buffer
}
