/**
 * What commands print on a terminal, without control characters and marks of the writing direction, wherever a text came
 * from. Files and pipes get every byte as it is: JSON and rules are read again.
 */
import type { Console } from "effect"
import { printableOutput } from "../printable.ts"

interface Stream {
  readonly isTTY?: boolean
}

export const terminalConsole = (
  console: Console.Console,
  { stderr, stdout }: { readonly stderr: Stream; readonly stdout: Stream }
): Console.Console =>
  new Proxy(console, {
    get: (target, name) => {
      if (name === "log") return (...texts: ReadonlyArray<unknown>) => target.log(...shown(stdout, texts))
      if (name === "error") return (...texts: ReadonlyArray<unknown>) => target.error(...shown(stderr, texts))
      return Reflect.get(target, name)
    }
  })

const shown = ({ isTTY = false }: Stream, texts: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  isTTY ? texts.map((text) => (typeof text === "string" ? printableOutput(text) : text)) : texts
