import { assert, describe, it } from "@effect/vitest"
import { terminalConsole } from "../src/commands/terminalConsole.ts"
import { printable, printableLines, printableOutput } from "../src/printable.ts"

/** Clears the screen; begins a sequence as one character; turns the direction of what follows. */
const hostile = [
  "\u001b[2J",
  "\u009b2J",
  "\u202e",
  "\u2066",
  "\u200f",
  "\u061c",
  "\u007f",
  "\u2028",
  "\r",
  "\b",
  "\u0000"
]

describe("text from outside on a terminal", () => {
  it("has no control character and no mark of the writing direction", () => {
    for (const text of hostile) {
      for (const shown of [printable, printableLines, printableOutput]) {
        assert.match(shown(`a${text}b`), /^a\\u[0-9a-f]{4}[[0-9J]*b$/)
      }
    }
    assert.strictEqual(printable("a\nb\tc"), "a\\u000ab\\u0009c")
    assert.strictEqual(printable("आशा राव 👩‍💻"), "आशा राव 👩‍💻")
  })

  it("keeps its lines where it has several, and the styles of a command", () => {
    assert.strictEqual(printableLines("a:\n\tb\u001b[1mc"), "a:\n\tb\\u001b[1mc")
    assert.strictEqual(printableOutput("\u001b[1mname\u001b[22m\n\u202ex"), "\u001b[1mname\u001b[22m\n\\u202ex")
  })

  it("is as it is in a file or a pipe, which programs read", () => {
    const printed: Array<unknown> = []
    const print = (...texts: ReadonlyArray<unknown>) => void printed.push(...texts)
    const console = terminalConsole(Object.assign(Object.create(globalThis.console), { log: print, error: print }), {
      stdout: {},
      stderr: { isTTY: true }
    })
    console.log('{"a":"\u202e"}', 1)
    console.error('{"a":"\u202e"}', 1)
    assert.deepStrictEqual(printed, ['{"a":"\u202e"}', 1, '{"a":"\\u202e"}', 1])
  })
})
