import { definedOnly } from "@paymux/core/wire"

/** The same calls, to which a member of an argument that is `undefined` is as if left out. */
export const leavingOutUndefined = <Calls extends object>(calls: Calls): Calls => {
  const wrapped = Object.entries(calls).map(([name, call]: [string, unknown]) => [name, ofCall(call)] as const)
  // Boundary: every call keeps its type, and so does every group of them.
  return Object.fromEntries(wrapped) as Calls
}

const ofCall = (call: unknown): unknown => {
  if (typeof call === "object" && call !== null) return leavingOutUndefined(call)
  return typeof call === "function"
    ? (...given: ReadonlyArray<unknown>): unknown => Reflect.apply(call, undefined, given.map(definedOnly))
    : call
}
