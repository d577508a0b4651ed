import { definedOnly } from "../wire/definedOnly.ts"

/** An object whose absent members are written as `undefined`, without these members. */
export const presentMembers = <A>(members: { readonly [member in keyof A]: A[member] | undefined }): A =>
  // Boundary: without its `undefined` members, the object has the type.
  definedOnly(members) as A
