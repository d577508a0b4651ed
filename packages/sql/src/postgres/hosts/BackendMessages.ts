/**
 * Parses from a PostgreSQL server's bytes the messages that show whether a write to it is safe. The driver parses the
 * same bytes, but reports neither notices nor parameters.
 */

export type ServerMessage =
  | { readonly _tag: "Parameter"; readonly name: string; readonly value: string }
  | { readonly _tag: "Notice"; readonly fields: Fields }
  | { readonly _tag: "Error"; readonly fields: Fields }

/** The fields of a message by their letters in the protocol: `C` is the SQLSTATE, `R` the routine of the server. */
type Fields = ReadonlyMap<string, string>

/** Accepts bytes as they arrive; returns the messages that they complete. */
export const makeMessageReader = (): ((chunk: Buffer) => ReadonlyArray<ServerMessage>) => {
  let rest: Buffer = Buffer.alloc(0)
  let skipped = 0
  return (chunk) => {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    rest = Buffer.alloc(0)
    const found: Array<ServerMessage> = []
    let at = skipped
    while (at < data.length) {
      if (data.length - at < HEADER) {
        rest = data.subarray(at)
        at = data.length
        break
      }
      const type = data[at] ?? 0
      const end = at + 1 + data.readInt32BE(at + 1)
      if (isRead(type) && end > data.length) {
        rest = data.subarray(at)
        at = data.length
        break
      }
      if (isRead(type)) found.push(decode(type, data.toString("utf8", at + HEADER, end)))
      at = end
    }
    skipped = at - data.length
    return found
  }
}

/** The number of bytes of a message's type and length. */
const HEADER = 5

const ERROR = 0x45
const NOTICE = 0x4e
const PARAMETER = 0x53

const isRead = (type: number): boolean => type === ERROR || type === NOTICE || type === PARAMETER

const decode = (type: number, body: string): ServerMessage => {
  const texts = body.split("\0")
  if (type === PARAMETER) return { _tag: "Parameter", name: texts[0] ?? "", value: texts[1] ?? "" }
  const fields = new Map(texts.filter((text) => text !== "").map((text) => [text.slice(0, 1), text.slice(1)]))
  return { _tag: type === ERROR ? "Error" : "Notice", fields }
}

/**
 * Whether the notice shows that the server stopped waiting for its synchronous standby, and reports the commit as done:
 * only this notice shows that the commit may be lost. The text of the notice is translated; the routine is not.
 */
export const isUnconfirmedCommit = (message: ServerMessage): boolean =>
  message._tag === "Notice" && message.fields.get("R") === "SyncRepWaitForLSN"

/**
 * Whether the message shows that the server does not accept writes: it is a standby, or was made read-only. PostgreSQL
 * 14 and newer report it.
 */
export const isStandby = (message: ServerMessage): boolean =>
  message._tag === "Parameter" && message.name === "in_hot_standby" && message.value === "on"

export const isReadOnlyByDefault = (message: ServerMessage): boolean =>
  message._tag === "Parameter" && message.name === "default_transaction_read_only" && message.value === "on"

/** Whether the error is `read_only_sql_transaction`: the server rejected a write. */
export const isRefusedWrite = (message: ServerMessage): boolean =>
  message._tag === "Error" && message.fields.get("C") === "25006"
