/**
 * The checks of `PaymentStore`, as one vitest suite that every implementation runs.
 *
 * The layer is built anew for every test and must come up empty.
 *
 * @example
 * ```ts
 * import { MemoryStore } from "@paymux/testkit/memory-store"
 * import { paymentStoreSuite } from "@paymux/test-suites"
 *
 * paymentStoreSuite("MemoryStore", MemoryStore.layer)
 * ```
 */
import type { PaymentStore } from "@paymux/core/store"
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Layer } from "effect"
import type { StoreCheck } from "./paymentStore/StoreCheck.ts"
import { advanceChecks } from "./paymentStore/advanceChecks.ts"
import { answerChecks } from "./paymentStore/answerChecks.ts"
import { attemptCountChecks } from "./paymentStore/attemptCountChecks.ts"
import { backlogChecks } from "./paymentStore/backlogChecks.ts"
import { beginChecks } from "./paymentStore/beginChecks.ts"
import { cardChecks } from "./paymentStore/cardChecks.ts"
import { clockChecks } from "./paymentStore/clockChecks.ts"
import { entryChecks } from "./paymentStore/entryChecks.ts"
import { erasureChecks } from "./paymentStore/erasureChecks.ts"
import { eventChecks } from "./paymentStore/eventChecks.ts"
import { inboxChecks } from "./paymentStore/inboxChecks.ts"
import { keptWebhookChecks } from "./paymentStore/keptWebhookChecks.ts"
import { leaseChecks } from "./paymentStore/leaseChecks.ts"
import { listChecks } from "./paymentStore/listChecks.ts"
import { operationChecks } from "./paymentStore/operationChecks.ts"
import { providerStateChecks } from "./paymentStore/providerStateChecks.ts"
import { orderChecks } from "./paymentStore/orderChecks.ts"
import { randomCountChecks } from "./paymentStore/randomCountChecks.ts"
import { referenceChecks } from "./paymentStore/referenceChecks.ts"
import { restorationChecks } from "./paymentStore/restorationChecks.ts"
import { retentionChecks } from "./paymentStore/retentionChecks.ts"
import { routingChecks } from "./paymentStore/routingChecks.ts"
import { workChecks } from "./paymentStore/workChecks.ts"

/** Registers the suite under `name`. The layer may fail to build: its error then fails the test. */
export const paymentStoreSuite = <E>(name: string, layer: Layer.Layer<PaymentStore, E>): void => {
  const check: StoreCheck = (title, test) => it.effect(title, () => Effect.provide(test, layer))
  describe(`${name} passes the checks of PaymentStore`, () => {
    describe("begin and idempotency keys", () => {
      beginChecks(check)
    })
    describe("advance and events", () => {
      advanceChecks(check)
    })
    describe("the sequence of events", () => {
      eventChecks(check)
    })
    describe("entries and reviews", () => {
      entryChecks(check)
    })
    describe("references of charges", () => {
      referenceChecks(check)
      orderChecks(check)
    })
    describe("operations beyond create", () => {
      operationChecks(check)
    })
    describe("list and look-ups", () => {
      listChecks(check)
    })
    describe("what routing learns from and is replayed on", () => {
      randomCountChecks(check)
      attemptCountChecks(check)
      routingChecks(check)
    })
    describe("what came of a card before", () => {
      cardChecks(check)
    })
    describe("work that is due", () => {
      workChecks(check)
    })
    describe("work that a wrong clock has scheduled", () => {
      clockChecks(check)
    })
    describe("what waits", () => {
      backlogChecks(check)
    })
    describe("provider inbox", () => {
      inboxChecks(check)
    })
    describe("kept webhooks", () => {
      keptWebhookChecks(check)
    })
    describe("provider state", () => {
      providerStateChecks(check)
    })
    describe("leases", () => {
      leaseChecks(check)
    })
    describe("erasing a customer", () => {
      erasureChecks(check)
    })
    describe("the first response to a request", () => {
      answerChecks(check)
    })
    describe("what is kept for a time", () => {
      retentionChecks(check)
    })
    describe("a database that went back to an earlier moment", () => {
      restorationChecks(check)
    })
  })
}
