/** Makes the browser save a file. It replaces what a file name may not contain. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

export function saveJson(data: object, name: string): void {
  saveFile(new Blob([JSON.stringify(data, undefined, 2)], { type: 'application/json' }), name)
}
