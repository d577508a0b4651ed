/** A receiver that stores each event in a file. It may be killed at any moment, and continues after the last one. */
import { Paymux } from "@paymux/client"
import type { WebhookEvent } from "@paymux/client"
import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs"
import type { ReaderPlan } from "../plan.ts"

// Boundary: the argument of our own parent.
const { apiKey, baseUrl, file, isLast }: ReaderPlan = JSON.parse(process.argv[2] ?? "")

/** The id of the last event that was stored whole. */
const lastStored = (): string | undefined => {
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, "utf8")
  const end = text.lastIndexOf("\n") + 1
  truncateSync(file, end)
  return text.slice(0, end).split("\n").at(-2)?.split(" ")[0]
}

let after = lastStored()
const paymux = new Paymux({ apiKey, baseUrl, maxRetries: 10 })
const place = () => (after === undefined ? { limit: 100 } : { limit: 100, after })

const store = ({ data }: WebhookEvent): void => {
  appendFileSync(file, `${data.id} ${data.payment.id} ${data.sequence}\n`)
  process.send?.("stored")
}

if (!isLast) for await (const event of paymux.events.follow({ interval: 10, ...place() })) store(event)

for (let hasMore = true; hasMore;) {
  const page = await paymux.events.list(place())
  page.data.forEach(store)
  after = page.next_cursor ?? after
  hasMore = page.has_more
}
process.exit(0)
