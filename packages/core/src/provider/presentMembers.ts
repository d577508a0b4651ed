import { definedOnly } from "../wire/definedOnly.ts"

/** Removes the members of an object that are `undefined`. */
export const presentMembers = <A>(members: { readonly [member in keyof A]: A[member] | undefined }): A =>
  // Boundary: without its `undefined` members, the object has the type.
  definedOnly(members) as A
