/** Cursors of lists, while the secret of the installation is replaced. */
import { assert, describe, it } from "@effect/vitest"
import type { PaymentId } from "@paymux/core"
import { Redacted } from "effect"
import { cursors } from "../../src/index.ts"

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
})
