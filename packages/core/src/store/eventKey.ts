/**
 * The key that an event is stored under, once. Its id alone does not identify it: if a provider gives one id to two events, the
 * second one also reports money.
 */
import { Effect } from "effect"
import { canonicalJson, sha256 } from "../domain/sha256.ts"
import type { Evidence } from "../domain/Evidence.ts"

/** `place`: the key of an event without an id. */
export const eventKey = ({ about, eventId, outcome }: Evidence, place: string): Effect.Effect<string> =>
  eventId === null
    ? Effect.succeed(place)
    : Effect.map(sha256(canonicalJson([about, contentOf(outcome)])), (digest) => `${eventId} sha256:${digest}`)

/** A provider's notes and the payer's next action may differ between two deliveries of one event. */
const contentOf = ({ vendorCode: _vendorCode, ...outcome }: Evidence["outcome"]) =>
  outcome._tag === "Pending" ? { ...outcome, nextAction: null } : outcome

/** The provider's id of the event in a key; the key of an event without an id. */
export const eventIn = (key: string): string => key.replace(/ sha256:[0-9a-f]{64}$/, "")
