import type { PaymentStore } from "@paymux/core/store"
import type { Effect } from "effect"

/** Registers one check, named by the sentence that it holds to. */
export type StoreCheck = (title: string, test: Effect.Effect<void, unknown, PaymentStore>) => void
