/**
 * One log line, as text of a format. Whatever was logged went through `redact` before; here every control character is
 * escaped, so that no line is more than one line and no text controls the terminal. Only `pretty` has lines of its own for
 * the rest of a message and the stack of an error, set in.
 */
import type { LogFormat } from "./logsOption.ts"

export interface LogEntry {
  /** ISO 8601, UTC */
  readonly time: string
  /** `info`, `warn`, `error`, … */
  readonly level: string
  readonly message: string
  /** By name, in the order they are written; plain data. */
  readonly fields: { readonly [name: string]: unknown }
  /** The cause with its stack, or `null`. */
  readonly error: string | null
}

export const logLine = (format: LogFormat, entry: LogEntry): string => {
  switch (format) {
    case "json":
      return jsonLine(entry)
    case "logfmt":
      return logfmtLine(entry)
    case "pretty":
      return prettyLine(entry)
  }
}

const jsonLine = (entry: LogEntry): string => escaped(JSON.stringify(members(entry)))

const logfmtLine = (entry: LogEntry): string =>
  Object.entries(members(entry))
    .map(([name, value]) => `${name.replace(/[^A-Za-z0-9_.-]/g, "_")}=${word(value)}`)
    .join(" ")

/** No field takes the place of what every line has. */
const members = ({ error, fields, level, message, time }: LogEntry): { readonly [name: string]: unknown } => {
  const own = { time, level, message }
  return { ...own, ...fields, ...own, ...(error === null ? {} : { error }) }
}

/** Quoted where a reader of the line could not tell where it ends. */
const word = (value: unknown): string => {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "")
  return /^[^\s"=\\]+$/.test(text) && escaped(text) === text ? text : escaped(JSON.stringify(text))
}

const prettyLine = ({ error, fields, level, message, time }: LogEntry): string => {
  const shown = Object.entries(fields).map(([name, value]) => ` ${escaped(name)}=${word(value)}`)
  const [first = "", ...rest] = message.split("\n")
  const more = [...rest, ...(error === null ? [] : error.split("\n"))].map((line) => `\n    ${escaped(line)}`)
  return `${time.slice(11, 23)} ${level.toUpperCase().padEnd(5)} ${escaped(first)}${shown.join("")}${more.join("")}`
}

/** Control characters, line breaks of any kind, marks that turn the direction of writing, and halves of characters. */
const unsafe =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const escaped = (text: string): string =>
  text.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
