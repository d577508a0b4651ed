/** The expectations of `test/events/follow.test.ts` over 10,000 events. */
import { assert, describe, it } from "@effect/vitest"
import { emptyDatabases } from "../../packages/paymux/test/emptyDatabases.ts"
import { followWhileWriting } from "../events/followWhileWriting.ts"
import { slice } from "../support/amount.ts"

const databases = await emptyDatabases()

describe("a reader of 10,000 events that is killed twenty times while eight writers commit", () => {
  it.each(slice(["postgres", "sqlite"] as const, 2))(
    "reads each once, in the order of its payment, on %s",
    async (database) => {
      const plan = {
        database: databases[database],
        events: 10_000,
        kills: 20,
        file: `${databases.folder}/${database}.txt`
      }
      assert.deepStrictEqual(await followWhileWriting(plan), [])
    }
  )
})
