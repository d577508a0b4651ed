/** What a member who may not see the team gets of an entry of the audit log. */
import { assert, describe, it } from "@effect/vitest"
import { theProgram } from "../src/index.ts"
import { withoutContacts } from "../src/server/audit/withoutContacts.ts"

describe("an entry of the audit log without contacts", () => {
  it("has no email address in any field, and keeps everything else", () => {
    const email = "asha@example.com"
    const entry = {
      id: 1,
      at: 0,
      account: "default",
      livemode: false,
      action: "user.role",
      actor: { ...theProgram, kind: "command", id: email, name: email, address: "203.0.113.7" },
      target: email,
      outcome: "done",
      before: null,
      after: { email, people: [email, "usr_1"], role: "owner", count: 1, open: true, none: null }
    } as const
    const shown = withoutContacts(entry)
    assert.notInclude(JSON.stringify(shown), "@")
    assert.deepStrictEqual(shown, {
      ...entry,
      actor: { ...entry.actor, id: "hidden", name: null, address: null },
      target: null,
      after: { ...entry.after, email: "hidden", people: ["hidden", "usr_1"] }
    })
  })
})
