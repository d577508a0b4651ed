import { Effect } from "effect"
import { PeopleInputInvalid } from "./errors.ts"

/** One spelling for each address, in printable ASCII: look-alike letters would make two users that read the same. */
export const readEmail = (given: unknown): Effect.Effect<string, PeopleInputInvalid> => {
  const email = typeof given !== "string" || given.length > 1000 ? "" : given.trim().toLowerCase()
  return email.length <= 254 && /^[!#-'*+\-./0-9=?^_`a-z{|}~]{1,64}@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(email)
    ? Effect.succeed(email)
    : Effect.fail(new PeopleInputInvalid({ field: "email", problem: "must be an email address, in ASCII" }))
}
