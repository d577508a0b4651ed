/** Bodies that others published, read by the adapter over HTTP: what each means was written down before. */
import type { ProviderOperation } from "@paymux/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { accountFaults, answers, type ForeignAnswer, type ForeignWebhook, webhooks } from "./foreign/bodies.ts"
import { begin, card, later, operation } from "./operations.ts"
import { signedItem } from "../src/testing/signed.ts"

describe("a foreign answer of Adyen is read as expected", () => {
  for (const foreign of [...accountFaults, ...answers]) {
    it.live(foreign.id, () =>
      Effect.gen(function* () {
        const { reported } = yield* answered(foreign)
        assert.deepInclude(reported, foreign.expected, foreign.source)
      }).pipe(Effect.scoped)
    )
  }
})

describe("a foreign webhook of Adyen is read as expected", () => {
  for (const foreign of webhooks) {
    it.live(foreign.id, () =>
      Effect.gen(function* () {
        const [evidence] = yield* received(foreign)
        assert.deepInclude(evidence?.outcome, foreign.expected, foreign.source)
      }).pipe(Effect.scoped)
    )
  }
})

/** The outcome of the call, or the reason of its error. */
const answered = Effect.fnUntraced(function* ({ body, call, status }: ForeignAnswer) {
  const { capture, complete, create, network, vendor } = yield* begin
  const fail = (json: object) => network.failNext({ executed: false, reply: { status, json } })
  const asked = operation(changes[call])
  const report = <A>(sent: Effect.Effect<A, { readonly reason: object }>) =>
    Effect.match(sent, {
      onFailure: ({ reason }) => ({ reported: reason }),
      onSuccess: (outcome) => ({ reported: outcome as object })
    })
  switch (call) {
    case "create_token":
    case "create_hosted":
      yield* fail(body)
      return yield* report(create(asked))
    case "capture": {
      const { reference = null } = yield* create(asked)
      yield* fail(body)
      return yield* report(capture(later("capture", asked, reference)))
    }
    case "complete": {
      yield* vendor.decide("wait")
      const { reference = null } = yield* create(asked)
      yield* fail({ ...body, merchantReference: asked.id })
      return yield* report(complete({ ...asked, reference }, { redirectResult: "X6XtfGC3" }))
    }
  }
})

const changes: { readonly [call in ForeignAnswer["call"]]: Partial<ProviderOperation> } = {
  create_token: {},
  create_hosted: { method: card(null) },
  capture: { captureMethod: "manual" },
  complete: {}
}

/** With our reference and account, and signed for them; otherwise as it was published. */
const received = Effect.fnUntraced(function* ({ item, of }: ForeignWebhook) {
  const { vendor, webhook } = yield* begin
  const merchantReference = of === "create" ? operation().id : `${operation().id}-${of}`
  const { additionalData, merchantAccountCode } = signedItem({ ...item, merchantReference }, vendor.credentials)
  const NotificationRequestItem = { ...item, additionalData, merchantAccountCode, merchantReference }
  const json = { live: "false", notificationItems: [{ NotificationRequestItem }] }
  return yield* webhook(new TextEncoder().encode(JSON.stringify(json)), {})
})
