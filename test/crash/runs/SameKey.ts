/** Many posts at once under each of many keys, then every request again, also of the next process. */
import { isOpenAnswer } from "../Merchant.ts"
import { requestOf } from "../Scenarios.ts"
import { withHarness } from "../TestHarness.ts"
import type { HarnessReport } from "../TestHarness.ts"

export interface SameKeyReport extends HarnessReport {
  readonly posts: number
  /** Answers that were not the bytes of the first one under their key, though the database had stored it in time. */
  readonly differing: number
}

/** Keys at work at the same time. */
const AT_ONCE = 10

export const sameKey = async (options: {
  readonly database?: string
  readonly engines?: number
  readonly keys: number
  readonly postsPerKey: number
  /** Of every request; one of them after a kill. */
  readonly replays: number
}): Promise<SameKeyReport> => {
  const { database, engines = 1, keys, postsPerKey, replays } = options
  let differing = 0
  const harness = { name: "same", concurrency: 0, engines, ...(database !== undefined && { database }) }
  const report = await withHarness(harness, async ({ engines, merchant }) => {
    const left = Array.from({ length: keys }, (_, index) => `same-${index}`)
    const worker = async () => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) {
        const named = key
        const answers = await Promise.all(
          Array.from({ length: postsPerKey }, () => merchant.post("/v1/payments", named, requestOf({ rail: "upi" })))
        )
        const [{ body: first } = { body: "" }] = answers
        differing += answers.filter(
          ({ body }) => body !== first && !isOpenAnswer(first, body) && !isOpenAnswer(body, first)
        ).length
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    for (let replay = 1; replay < replays; replay++) {
      if (replay === 1) await engines[0]?.restart("SIGKILL")
      differing += (await merchant.replay()).length
    }
  })
  return { ...report, posts: keys * postsPerKey, differing }
}
