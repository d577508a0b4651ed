/** A file as text, chunk by chunk. Nothing is guessed: a file of another encoding is refused, after its last good line. */
import { createReadStream } from "node:fs"

/** The file is not UTF-8. */
export class Undecodable extends Error {}

/** `read.bytes` is raised as the file is read. */
export async function* decodedText(file: string, read: { bytes: number }): AsyncGenerator<string, void> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  let line = 1
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    // Boundary: a stream without an encoding has bytes.
    const bytes = chunk as Buffer
    if (read.bytes === 0 && isUtf16(bytes)) throw new Undecodable("The file is UTF-16: save it as UTF-8.")
    read.bytes += bytes.length
    const text = decoder.decode(bytes, { stream: true })
    const replaced = text.indexOf(replacement)
    if (replaced >= 0) {
      const good = text.slice(0, text.lastIndexOf("\n", replaced) + 1)
      yield good
      throw notUtf8(line + newlinesIn(good))
    }
    line += newlinesIn(text)
    yield text
  }
  if (decoder.decode().length > 0) throw notUtf8(line)
}

/** What a decoder writes for bytes that are no character. */
const replacement = "\ufffd"

const notUtf8 = (line: number) => new Undecodable(`Line ${line} is not valid UTF-8: save the file as UTF-8.`)

const newlinesIn = (text: string): number => {
  let count = 0
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1
  return count
}

/** By its mark, or by the zero bytes that its letters have. */
const isUtf16 = (bytes: Buffer): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) ||
  (bytes[0] === 0xfe && bytes[1] === 0xff) ||
  bytes.subarray(0, 64).includes(0)
