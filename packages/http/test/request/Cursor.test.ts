/** Cursors of lists, while the secret of the installation is replaced. */
import { assert, describe, it } from "@effect/vitest"
import type { PaymentId } from "@paymux/core"
import type { EventId } from "@paymux/core/store"
import { Redacted } from "effect"
import { cursors, eventCursors, returnKey } from "../../src/index.ts"

const former = Redacted.make("the former secret of this test")
const next = Redacted.make("the next secret of this test")
const tenant = { account: "default", livemode: false }
// Boundary of a test: the form of an id.
const id = "pay_01jd8w6x2vh6k9v0q3f7m5t1ac" as PaymentId

describe("a cursor", () => {
  it("is read under each secret of a list, whose first one signs it", () => {
    const both = cursors([next, former])
    assert.strictEqual(both.read(tenant, cursors([former]).write(tenant, id)), id)
    assert.strictEqual(cursors([next]).read(tenant, both.write(tenant, id)), id)
    assert.isNull(cursors([former]).read(tenant, both.write(tenant, id)))
    assert.isNull(both.read({ ...tenant, livemode: true }, cursors([former]).write(tenant, id)))
  })

  it("of events is read with the key of the installation alone, which no rotation changes", () => {
    // Boundary of a test: the form of an id.
    const event = "evt_01jd8w6x2vh6k9v0q3f7m5t1ac" as EventId
    const key = returnKey(former)
    const cursor = eventCursors(key).write(tenant, event)
    assert.strictEqual(eventCursors(key).read(tenant, cursor), event)
    assert.isNull(eventCursors(returnKey(next)).read(tenant, cursor))
    assert.isNull(eventCursors(key).read({ ...tenant, account: "other" }, cursor))
    assert.isNull(cursors([former]).read(tenant, cursor))
  })
})
