// Files that leave the page and enter it, by the means of the web: a download, a file input.

/** Starts a download of the text, given in parts. */
export function saveFile(fileName: string, parts: readonly string[], type: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The download has its own hold on the text by the next turn.
  setTimeout(() => URL.revokeObjectURL(url))
}

/** Null when the user gave up. */
export function pickFile(accept: string): Promise<File | null> {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = accept
  return new Promise((done) => {
    input.addEventListener('change', () => done(input.files?.[0] ?? null))
    input.addEventListener('cancel', () => done(null))
    input.click()
  })
}
