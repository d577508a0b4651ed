/** A thread of `machineSpeed`: what tests do most, a fixed number of times. Its message is how long it took, in ms. */
import { createHash } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import { parentPort } from "node:worker_threads"

const rounds = 400

const payments = Array.from({ length: 300 }, (_, index) => ({
  id: `pay_${index}`,
  amount: { value: 7 * index, currency: "INR" },
  description: `Order ${index}, paid by card`,
  metadata: { order: String(index), note: "x".repeat(index % 50) }
}))

const round = (database: DatabaseSync): void => {
  const insert = database.prepare("insert into payments (id, amount, record) values (?, ?, ?)")
  // Boundary: JSON that was made here.
  const read = JSON.parse(JSON.stringify(payments)) as typeof payments
  for (const { amount, id, ...rest } of read.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    insert.run(createHash("sha256").update(id).digest("hex"), amount.value, JSON.stringify({ id, ...rest }))
  }
  database.exec("delete from payments")
}

const database = new DatabaseSync(":memory:")
database.exec("create table payments (id text primary key, amount integer, record text) strict")
const begun = performance.now()
for (let index = 0; index < rounds; index++) round(database)
const took = performance.now() - begun
database.close()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(took)
