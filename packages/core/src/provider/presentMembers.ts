/**
 * Removes the members of an object that are absent. In JavaScript an adapter may also write `null` or `false` for a
 * function that it does not have, such as `inquire: key && inquire`.
 */
export const presentMembers = <A>(members: { readonly [member in keyof A]: A[member] | undefined }): A =>
  // Boundary: without its absent members, the object has the type.
  Object.fromEntries(Object.entries(members).filter(([, member]) => Boolean(member))) as A
