/**
 * A file that the person gets, written part by part: to the disk where the browser lets a page do so, otherwise to a Blob,
 * whose parts the browser keeps outside of the memory of scripts.
 */
export interface FileSink {
  readonly write: (text: string) => Promise<void>
  readonly close: () => Promise<void>
  /** Nothing remains of it. */
  readonly abort: () => Promise<void>
}

/** Not in the types of the DOM yet. */
interface FilePicker {
  readonly showSaveFilePicker: (options: { readonly suggestedName: string }) => Promise<FileSystemFileHandle>
}

const hasPicker = (scope: object): scope is FilePicker => "showSaveFilePicker" in scope

/** Within a click. `null`: the person chose no place. */
export const openFile = async (name: string): Promise<FileSink | null> => {
  if (!hasPicker(window)) return blobSink(name)
  try {
    const handle = await window.showSaveFilePicker({ suggestedName: name })
    const stream = await handle.createWritable()
    return {
      write: (text) => stream.write(text),
      close: () => stream.close(),
      abort: () => stream.abort()
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return null
    throw error
  }
}

const blobSink = (name: string): FileSink => {
  let parts: Array<Blob> = []
  return {
    write: async (text) => {
      parts.push(new Blob([text]))
    },
    close: async () => {
      const address = URL.createObjectURL(new Blob(parts, { type: "text/csv;charset=utf-8" }))
      const link = document.createElement("a")
      link.href = address
      link.download = name
      link.click()
      // The browser has begun to read it by then.
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    },
    abort: async () => {
      parts = []
    }
  }
}
