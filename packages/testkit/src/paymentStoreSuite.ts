/**
 * The laws of `PaymentStore`, as one vitest suite that every implementation runs.
 *
 * The layer is built anew for every test and must come up empty.
 *
 * @example
 * ```ts
 * import { MemoryStore } from "@paymux/core/store"
 * import { paymentStoreSuite } from "@paymux/testkit"
 *
 * paymentStoreSuite("MemoryStore", MemoryStore.layer)
 * ```
 */
import type { PaymentStore } from "@paymux/core/store"
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Layer } from "effect"
import type { Law } from "./paymentStore/Law.ts"
import { advanceLaws } from "./paymentStore/advanceLaws.ts"
import { backlogLaws } from "./paymentStore/backlogLaws.ts"
import { beginLaws } from "./paymentStore/beginLaws.ts"
import { cardLaws } from "./paymentStore/cardLaws.ts"
import { entryLaws } from "./paymentStore/entryLaws.ts"
import { erasureLaws } from "./paymentStore/erasureLaws.ts"
import { inboxLaws } from "./paymentStore/inboxLaws.ts"
import { leaseLaws } from "./paymentStore/leaseLaws.ts"
import { listLaws } from "./paymentStore/listLaws.ts"
import { operationLaws } from "./paymentStore/operationLaws.ts"
import { providerStateLaws } from "./paymentStore/providerStateLaws.ts"
import { referenceLaws } from "./paymentStore/referenceLaws.ts"
import { retentionLaws } from "./paymentStore/retentionLaws.ts"
import { routingLaws } from "./paymentStore/routingLaws.ts"
import { workLaws } from "./paymentStore/workLaws.ts"

/** Registers the suite under `name`. The layer may fail to build: its error then fails the test. */
export const paymentStoreSuite = <E>(name: string, layer: Layer.Layer<PaymentStore, E>): void => {
  const law: Law = (title, test) => it.effect(title, () => Effect.provide(test, layer))
  describe(`${name} keeps the laws of PaymentStore`, () => {
    describe("begin and idempotency keys", () => {
      beginLaws(law)
    })
    describe("advance and events", () => {
      advanceLaws(law)
    })
    describe("entries and reviews", () => {
      entryLaws(law)
    })
    describe("references of charges", () => {
      referenceLaws(law)
    })
    describe("operations beyond create", () => {
      operationLaws(law)
    })
    describe("list and look-ups", () => {
      listLaws(law)
    })
    describe("what routing learns from and is replayed on", () => {
      routingLaws(law)
    })
    describe("what came of a card before", () => {
      cardLaws(law)
    })
    describe("work that is due", () => {
      workLaws(law)
    })
    describe("what waits", () => {
      backlogLaws(law)
    })
    describe("provider inbox", () => {
      inboxLaws(law)
    })
    describe("provider state", () => {
      providerStateLaws(law)
    })
    describe("leases", () => {
      leaseLaws(law)
    })
    describe("erasing a customer", () => {
      erasureLaws(law)
    })
    describe("what is kept for a time", () => {
      retentionLaws(law)
    })
  })
}
