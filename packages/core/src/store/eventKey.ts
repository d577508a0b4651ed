/**
 * The unique key of a stored event. The key includes the reported outcome, because a provider may give the same id to
 * two events that both report money.
 */
import { Effect } from "effect"
import { canonicalJson, sha256 } from "../domain/sha256.ts"
import type { Evidence } from "../domain/Evidence.ts"

/** Computes the unique key of an event. `place`: the key of an event without an id. */
export const eventKey = ({ about, eventId, outcome }: Evidence, place: string): Effect.Effect<string> =>
  eventId === null
    ? Effect.succeed(place)
    : Effect.map(sha256(canonicalJson([about, contentOf(outcome)])), (digest) => `${eventId} sha256:${digest}`)

/**
 * The outcome without the fields that may differ between two deliveries of one event: the vendor's code and the payer's
 * next action.
 */
const contentOf = ({ vendorCode: _vendorCode, ...outcome }: Evidence["outcome"]) =>
  outcome._tag === "Pending" ? { ...outcome, nextAction: null } : outcome

/** The provider's event id in an event key; for an event without an id, the whole key. */
export const eventIn = (key: string): string => key.replace(/ sha256:[0-9a-f]{64}$/, "")
