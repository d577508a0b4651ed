import type { PaymentStore } from "@paymux/core/store"
import type { Effect } from "effect"

/** Registers one law, named by the sentence that it holds to. */
export type Law = (title: string, test: Effect.Effect<void, unknown, PaymentStore>) => void
