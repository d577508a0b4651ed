/** An unknown parameter as it is reported: by its name, if it has the form of a name. */
import type { InputIssue } from "@paymux/core/wire"

/**
 * The client sees what it misspelled. What stands there may also be a value that lost its name, such as a key or a password,
 * so only a short word without digits is repeated: stricter than for the keys of a body, since addresses are logged.
 */
export const unknownParameter = (name: string): InputIssue =>
  word.test(name)
    ? { pointer: name, message: "is not a known parameter" }
    : { pointer: "", message: "a parameter is not known" }

const word = /^(?=.{1,32}$)[A-Za-z]+(?:[_-][A-Za-z]+)*$/
