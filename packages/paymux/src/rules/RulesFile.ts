/** A rules file: read whole, at most 4 MB, and every problem reported with its position, like a compiler does. */
import type { RoutingInvalid } from "@paymux/routing"
import { Data, Effect } from "effect"
import { open, stat } from "node:fs/promises"
import { resolve } from "node:path"
import type { PlacedFault, RulesDocument } from "./RulesDocument.ts"

/** The bytes of a file, and their digest: equal digests are equal contents. */
export interface RulesBytes {
  readonly bytes: Uint8Array
  readonly digest: string
}

/** A rules file. */
export interface RulesPlace {
  /** As it was named, for people. */
  readonly file: string
  /** Absolute: a process may change its working directory. */
  readonly path: string
}

/** What is written in a file. `file`: as it was named. */
export interface ParsedRules extends RulesDocument {
  readonly file: string
  readonly text: string
}

export interface LoadedRules extends ParsedRules, RulesPlace {
  readonly digest: string
}

/** The file cannot be used. The message has a line `routing.yaml:12:7 …` for each problem, sorted by place. */
export class RulesFileInvalid extends Data.TaggedError("RulesFileInvalid")<{
  readonly file: string
  readonly faults: ReadonlyArray<PlacedFault>
}> {
  override get message(): string {
    const lines = faultLines(this.file, this.faults)
    return lines.length <= MOST_LINES
      ? lines.join("\n")
      : [...lines.slice(0, MOST_LINES), `${this.file} has ${lines.length - MOST_LINES} more problems`].join("\n")
  }
}

/** `routing.yaml:12:7 …`, sorted by place. */
export const faultLines = (file: string, faults: ReadonlyArray<PlacedFault>): ReadonlyArray<string> =>
  [...faults].sort(byPlace).map((fault) => line(file, fault))

/** A broken file may have a million problems: only the first are shown. */
const MOST_LINES = 1_000

const line = (file: string, { message, position }: PlacedFault): string =>
  position === null ? `${file} ${message}` : `${file}:${position.line}:${position.column} ${message}`

const byPlace = (a: PlacedFault, b: PlacedFault): number =>
  (a.position?.line ?? 0) - (b.position?.line ?? 0) || (a.position?.column ?? 0) - (b.position?.column ?? 0)

/** What `Routing` refused, with the places in the file. */
export const refused = (
  { file, locate }: Pick<ParsedRules, "file" | "locate">,
  { problems }: RoutingInvalid
): RulesFileInvalid =>
  new RulesFileInvalid({
    file,
    faults: problems.map((problem) => ({ position: locate(problem), message: problem.message }))
  })

/** Fails where the name is relative and the working directory is gone. */
export const placeOf = (file: string): Effect.Effect<RulesPlace, RulesFileInvalid> =>
  Effect.try({
    try: () => ({ file, path: resolve(file) }),
    catch: (error) => new RulesFileInvalid({ file, faults: [whole(readFault(error))] })
  })

export const read = ({ file, path }: RulesPlace): Effect.Effect<RulesBytes, RulesFileInvalid> =>
  Effect.flatMap(
    Effect.tryPromise({ try: () => bytesOf(path), catch: (error) => whole(readFault(error)) }).pipe(
      Effect.mapError((fault) => new RulesFileInvalid({ file, faults: [fault] }))
    ),
    (found) =>
      found instanceof Uint8Array
        ? Effect.map(digestOf(found), (digest) => ({ bytes: found, digest }))
        : Effect.fail(new RulesFileInvalid({ file, faults: [found] }))
  )

/** SHA-256, in a thread of the platform: 4 MB take some ms. */
const digestOf = (bytes: Uint8Array<ArrayBuffer>): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", bytes)),
    (digest) => Buffer.from(digest).toString("hex")
  )

const MOST_BYTES = 4 * 1024 * 1024

/** Looked at before it is opened: to open a pipe is to wait for its writer. */
const bytesOf = async (path: string): Promise<Uint8Array<ArrayBuffer> | PlacedFault> => {
  const found = await stat(path)
  if (!found.isFile()) return whole("is not a file")
  if (found.size > MOST_BYTES) return tooLarge(found.size)
  const handle = await open(path, "r")
  try {
    const buffer = new Uint8Array(found.size + 1)
    let length = 0
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length)
      if (bytesRead === 0) return buffer.slice(0, length)
      length += bytesRead
    }
  } finally {
    await handle.close()
  }
  // It has grown meanwhile.
  return bytesOf(path)
}

/** Rounded up: 4.1 MB is shown for what is a byte over 4. */
const tooLarge = (bytes: number): PlacedFault =>
  whole(`is ${(Math.ceil((bytes / 1024 / 1024) * 10) / 10).toFixed(1)} MB; rules may have at most 4 MB`)

export const whole = (message: string): PlacedFault => ({ position: null, message })

const readFault = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown"
  if (code === "ENOENT" || code === "ENOTDIR") return "is not there"
  return code === "EACCES" || code === "EPERM" ? "cannot be read: permission denied" : `cannot be read (${code})`
}
