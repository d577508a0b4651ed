/** Checks whether a card may be tried, by its earlier declines. The pure decision is in `cardRetries`. */
import { Clock, Context, Effect } from "effect"
import { cardRefusal, cardRetryDefaults, countedCard, MOST_DECLINES } from "../../domain/cardRetries.ts"
import type { CardRefusal, CardRetrySettings, CardDecline } from "../../domain/cardRetries.ts"
import type { NewPayment, Tenant } from "../../domain/Payment.ts"
import type { PaymentStore, StoreUnavailable } from "../../store/PaymentStore.ts"

/** The engine's settings for retries of declined cards. */
export const CardRetries: Context.Reference<CardRetrySettings> = Context.Reference(
  "@paymux/core/execution/CardRetries",
  { defaultValue: () => cardRetryDefaults }
)

/**
 * Returns the refusal of a card; `null` if it may be tried. Only ended attempts count, so two concurrent payments with
 * one card may both be tried. `unwritten` are declines of the card that are not in the store yet, the latest first.
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
