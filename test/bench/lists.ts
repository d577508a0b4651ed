/**
 * Whether a page of a list costs the same however many payments there are: the same pages of a small database and of a
 * large one, in turns, through the store. Ends with 1 where a bound is not met.
 *
 * - `pnpm bench lists sqlite` or `postgres`
 * - `--payments <n>`: of the large one. Default: 1,000,000.
 * - `--small <n>`: of the small one. Default: 1,000.
 * - `--rounds <n>`: pages of each kind. Default: 60.
 * - `--directory <path>`: where the files of SQLite are made. Default: the directory for temporary files.
 */
import { everyPayment } from "@paymux/core/store"
import type { ListQuery, PaymentStore } from "@paymux/core/store"
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { parseArgs } from "node:util"
import { onPostgres, onSqlite } from "./lists/databases.ts"
import { createdAt, idOf } from "./lists/payments.ts"

type Store = PaymentStore["Service"]

/** What is asked of a database of so many payments. */
type Ask = (size: number, round: number) => Partial<ListQuery>

/** Of the medians, large to small. */
const bound = 1.5
/** ms, of the p95 in the large one. */
const longest = 100
/** ms: a median that is not larger is flat, however little the small one takes. */
const negligible = 5
const tenant = { account: "default", livemode: false }

const after = (n: number) => ({ position: { side: "after" as const, id: idOf(n) } })
const before = (n: number) => ({ position: { side: "before" as const, id: idOf(n) } })
const half = (size: number) => Math.floor(size / 2)

/** Another place in each round, so that the page is not cached. */
const anywhere = (size: number, round: number) => Math.floor(size * ((0.05 + Math.abs(round) * 0.618) % 1))

const asks: { readonly [name: string]: Ask } = {
  "no filter": () => ({}),
  "no filter, from the middle": (size) => after(half(size)),
  "no filter, from anywhere": (size, round) => after(anywhere(size, round)),
  "no filter, back from the middle": (size) => before(half(size)),
  "no filter, the last page": () => after(20),
  "status: most": () => ({ status: ["succeeded"] }),
  "status: most, from the middle": (size) => ({ status: ["succeeded"], ...after(half(size)) }),
  "status: some, from anywhere": (size, round) => ({ status: ["failed"], ...after(anywhere(size, round)) }),
  "status: some": () => ({ status: ["failed"] }),
  "status: three payments": () => ({ status: ["canceled"] }),
  "status: no match": () => ({ status: ["authorized"] }),
  "status: two of them": () => ({ status: ["failed", "pending"] }),
  "payment_method: some": () => ({ rail: ["upi"] }),
  "payment_method: some, back from the middle": (size) => ({ rail: ["upi"], ...before(half(size)) }),
  "payment_method: no match": () => ({ rail: ["stablecoin"] }),
  "currency: some": () => ({ currency: ["EUR"] }),
  "currency: no match": () => ({ currency: ["JPY"] }),
  "provider: some": () => ({ provider: ["stripe"] }),
  "provider: three payments": () => ({ provider: ["coinbase"] }),
  "customer_email: often": () => ({ customerEmail: ["often@example.com"] }),
  "customer_email: often, from the middle": (size) => ({ customerEmail: ["often@example.com"], ...after(half(size)) }),
  "customer_email: no match": () => ({ customerEmail: ["unknown@example.com"] }),
  "customer_email: any of a hundred": (size) => ({
    customerEmail: Array.from({ length: 100 }, (_, n) => `payer-${Math.floor((size * n) / 100) + 1}@example.com`)
  }),
  "provider_reference: one": (size) => ({ providerReference: [`order_${half(size)}`] }),
  "provider_reference: no match": () => ({ providerReference: ["order_x"] }),
  "failure_code: some": () => ({ failureCode: ["do_not_honor"] }),
  "failure_code: some, from anywhere": (size, round) => ({
    failureCode: ["do_not_honor"],
    ...after(anywhere(size, round))
  }),
  "failure_code: no match": () => ({ failureCode: ["expired_card"] }),
  "card_fingerprint: often": () => ({ cardFingerprint: ["card_often"] }),
  "card_fingerprint: often, back from the middle": (size) => ({
    cardFingerprint: ["card_often"],
    ...before(half(size))
  }),
  "card_fingerprint: one": (size) => ({ cardFingerprint: [`card_${half(size) - (half(size) % 5) + 3}`] }),
  "card_fingerprint: no match": () => ({ cardFingerprint: ["card_x"] }),
  "amount: all": () => ({ currency: ["EUR"], amountMin: 0 }),
  "amount: half": () => ({ currency: ["USD"], amountMin: 500_000 }),
  "amount: half, from anywhere": (size, round) => ({
    currency: ["USD"],
    amountMin: 500_000,
    ...after(anywhere(size, round))
  }),
  "amount: one of a hundred": () => ({ currency: ["INR"], amountMin: 500_000, amountMax: 510_000 }),
  "amount: one of a hundred, back from the middle": (size) => ({
    currency: ["INR"],
    amountMin: 500_000,
    amountMax: 510_000,
    ...before(half(size))
  }),
  "amount: one of a hundred, last page": (size) => ({
    currency: ["INR"],
    amountMin: 500_000,
    amountMax: 510_000,
    ...after(Math.floor(size / 50))
  }),
  "amount: one of ten thousand": () => ({ currency: ["USD"], amountMin: 700_000, amountMax: 700_100 }),
  "amount: exactly": () => ({ currency: ["INR"], amountMin: 100 + 7919, amountMax: 100 + 7919 }),
  "amount: no match": () => ({ currency: ["INR"], amountMin: 5_000_000 }),
  "amount: one of a hundred, status: some": () => ({
    currency: ["USD"],
    amountMin: 500_000,
    amountMax: 510_000,
    status: ["failed"]
  }),
  "amount: exactly, customer_email: often": () => ({
    currency: ["INR"],
    amountMin: 100 + 7919,
    amountMax: 100 + 7919,
    customerEmail: ["often@example.com"]
  }),
  "amount: half, created between: an hour": (size) => ({
    currency: ["USD"],
    amountMin: 500_000,
    createdAfter: createdAt(half(size)) - 1_800_000,
    createdBefore: createdAt(half(size)) + 1_800_000
  }),
  "created_after: the middle": (size) => ({ createdAfter: createdAt(half(size)) }),
  "created_after: the last ten": (size) => ({ createdAfter: createdAt(size - 11) }),
  "created_after: now": (size) => ({ createdAfter: createdAt(size) }),
  "created_before: the middle": (size) => ({ createdBefore: createdAt(half(size)) }),
  "created_before: the first ten": () => ({ createdBefore: createdAt(10) }),
  "created_before: all": () => ({ createdBefore: createdAt(0) }),
  "created between: an hour in the middle": (size) => ({
    createdAfter: createdAt(half(size)) - 1_800_000,
    createdBefore: createdAt(half(size)) + 1_800_000
  }),
  "metadata[order_id]": (size) => ({ metadata: { order_id: [`A-${100_000 + half(size)}`] } }),
  "metadata[order_id]: any of ten": (size) => ({
    metadata: { order_id: Array.from({ length: 10 }, (_, n) => `A-${100_000 + Math.floor((size * n) / 10)}`) }
  }),
  "metadata[order_id]: no match": () => ({ metadata: { order_id: ["B-1"] } }),
  "status: most, created_before the middle": (size) => ({
    status: ["succeeded"],
    createdBefore: createdAt(half(size))
  }),
  "status: some, created_after the middle": (size) => ({ status: ["failed"], createdAfter: createdAt(half(size)) }),
  "status: three payments, created_before the middle": (size) => ({
    status: ["canceled"],
    createdBefore: createdAt(half(size))
  }),
  "status: most, created_after the last ten": (size) => ({
    status: ["succeeded"],
    createdAfter: createdAt(size - 11)
  })
}

/** No index leaves few rows to read: these may take their time, but delay no other request. */
const mixes: { readonly [name: string]: Ask } = {
  "metadata without an index: no match": () => ({ metadata: { channel: ["fax"] } }),
  "status: most, provider: three payments": () => ({ status: ["succeeded"], provider: ["coinbase"] }),
  "currency and payment_method that never meet": () => ({ currency: ["INR"], rail: ["card"] })
}

const main = async (): Promise<void> => {
  const { positionals, values: options } = parseArgs({
    allowPositionals: true,
    options: {
      payments: { type: "string", default: "1000000" },
      small: { type: "string", default: "1000" },
      rounds: { type: "string", default: "60" },
      directory: { type: "string", default: tmpdir() }
    }
  })
  const [database] = positionals
  if (database !== "sqlite" && database !== "postgres") throw new Error("Say which: sqlite or postgres.")
  const sizes = [Number(options.small), Number(options.payments)]
  const directory = mkdtempSync(join(options.directory, "paymux-lists-"))
  console.log(`${process.version}, ${cpus()[0]?.model ?? "unknown CPU"}, ${database}`)
  try {
    const begun = performance.now()
    const bench = Effect.gen(function* () {
      const [small, large] = yield* database === "sqlite" ? onSqlite(directory, sizes) : onPostgres(sizes)
      if (small === undefined || large === undefined) throw new Error("Two databases are compared.")
      console.log(`${sizes.join(" and ")} payments, made in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
      yield* Effect.promise(() => compare([small, large], sizes, Number(options.rounds)))
      yield* Effect.promise(() => look(large, sizes[1] ?? 0))
    })
    await Effect.runPromise(Effect.scoped(bench))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const page = async (store: Store, ask: Ask, size: number, round: number) => {
  const query = { ...everyPayment, ...ask(size, round) }
  const begun = performance.now()
  const found = await Effect.runPromise(Effect.result(store.list(tenant, query)))
  return { ms: performance.now() - begun, found }
}

const compare = async (stores: ReadonlyArray<Store>, sizes: ReadonlyArray<number>, rounds: number): Promise<void> => {
  console.log(`\n${"page".padEnd(52)} ${sizes.map((size) => `${size}`.padStart(10)).join(" ")}   ratio   p95`)
  for (const [name, ask] of Object.entries(asks)) {
    const taken = stores.map((): Array<number> => [])
    let rows: ReadonlyArray<number> = []
    for (let round = -5; round < rounds; round++) {
      const pages = []
      for (const [index, store] of stores.entries()) pages.push(await page(store, ask, sizes[index] ?? 0, round))
      rows = pages.map(({ found }) => (found._tag === "Success" ? found.success.records.length : NaN))
      if (round >= 0) pages.forEach(({ ms }, index) => taken[index]?.push(ms))
    }
    const [small = NaN, large = NaN] = taken.map(median)
    const p95 = quantile(taken[1] ?? [], 0.95)
    const met = (large / small <= bound || large <= negligible) && p95 <= longest
    if (!met) process.exitCode = 1
    console.log(
      `${name.padEnd(52)} ${[small, large].map((ms) => `${ms.toFixed(2)} ms`.padStart(10)).join(" ")}   ` +
        `${(large / small).toFixed(2)}   ${p95.toFixed(2)} ms${met ? "" : " NOT MET"}  (${rows.join(" and ")} rows)`
    )
  }
}

const look = async (store: Store, size: number): Promise<void> => {
  console.log("\nWhere no index leaves few:")
  for (const [name, ask] of Object.entries(mixes)) {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const { found, ms } = await page(store, ask, size, 0)
    delay.disable()
    const reported = found._tag === "Success" ? `${found.success.records.length} rows` : found.failure._tag
    if (ms > 2_500) process.exitCode = 1
    console.log(
      `${name.padEnd(52)} ${ms.toFixed(0)} ms, ${reported}; the event loop was held up for ` +
        `p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, at most ${(delay.max / 1e6).toFixed(1)} ms`
    )
  }
}

const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)

const quantile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN

await main()
