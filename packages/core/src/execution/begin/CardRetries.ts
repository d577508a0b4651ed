/** Whether a card may be tried, by what its earlier tries came to. What decides is pure: `cardRetries`. */
import { Clock, Context, Effect } from "effect"
import { cardRefusal, cardRetryDefaults, countedCard, MOST_DECLINES } from "../../domain/cardRetries.ts"
import type { CardRefusal, CardRetrySettings, CardDecline } from "../../domain/cardRetries.ts"
import type { NewPayment, Tenant } from "../../domain/Payment.ts"
import type { PaymentStore, StoreUnavailable } from "../../store/PaymentStore.ts"

/** In force for this engine. */
export const CardRetries: Context.Reference<CardRetrySettings> = Context.Reference(
  "@paymux/core/execution/CardRetries",
  { defaultValue: () => cardRetryDefaults }
)

/**
 * `null`: it may be tried. Two payments with one card at the same moment may both be: what is counted is what has ended.
 * `unwritten`: declines that are not in the store yet, the latest first.
 */
export const refusalOfCard = (
  store: PaymentStore["Service"],
  settings: CardRetrySettings,
  { method }: Pick<NewPayment, "method">,
  { account, livemode }: Tenant,
  unwritten: ReadonlyArray<CardDecline> = []
): Effect.Effect<CardRefusal | null, StoreUnavailable> => {
  const card = countedCard(method, settings)
  if (card === null) return notRefused
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const { fingerprint, withinMs } = card
    const asked = { fingerprint, since: now - withinMs, limit: MOST_DECLINES }
    const written = yield* store.cardDeclines({ account, livemode }, asked)
    return cardRefusal(card, [...unwritten, ...written], settings, now)
  })
}

const notRefused = Effect.succeed(null)

/** Declines are counted by `card.fingerprint`: without one, nothing has to be read. */
export const hasFingerprint = ({ method }: Pick<NewPayment, "method">): boolean =>
  method.rail === "card" && method.fingerprint !== null
