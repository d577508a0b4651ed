/**
 * Passwords that attackers try first: about 50,000, as the package `@zxcvbn-ts/language-common` collects them from leaks. The file is
 * searched as text when a password is chosen, which is rare, and is not kept in memory.
 */
import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"

/** Also one that was made longer by digits and punctuation around it, or by being repeated. */
export const isCommonPassword = Effect.fnUntraced(function* (password: string) {
  const require = createRequire(import.meta.url)
  const file = require.resolve("@zxcvbn-ts/language-common/src/passwords.json")
  const list = yield* Effect.promise(() => readFile(file, "utf8"))
  return candidatesOf(password.toLowerCase()).some((candidate) => list.includes(JSON.stringify(candidate)))
})

const candidatesOf = (password: string): ReadonlyArray<string> => {
  const core = password.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "")
  return [password, core, unitOf(password), unitOf(core)].filter((candidate) => candidate !== "")
}

/** What a text repeats; the text itself if it repeats nothing. */
const unitOf = (text: string): string => {
  // A text occurs in itself written twice before its end only where it repeats.
  const length = `${text}${text}`.indexOf(text, 1)
  return text.slice(0, length)
}
