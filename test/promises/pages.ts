/** Walks of the list, page by page, while payments are committed out of the order of their ids. */
import { Engine, Ids, defineProvider, Outcome } from "@paymux/core"
import type { PaymentId } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { cursors, listPayments } from "@paymux/http"
import type { PaymentListJson } from "@paymux/http"
import { PaymentRecords } from "@paymux/test-suites"
import { SeededRandom } from "@paymux/test-suites/simulation"
import { Effect, Layer, Redacted, Schema } from "effect"

/** Payments that were committed before the first page was read. */
const BEFORE = 2_000
/** Ids are apart, so that a payment can be begun between two others and committed long after them. */
const APART = 10

export interface Walk {
  /** The parameters of the query, but for the cursor's. */
  readonly query: ReadonlyArray<readonly [name: string, value: string]>
  /** Newest first by `starting_after`, or from the oldest back by `ending_before`. */
  readonly cursor: "starting_after" | "ending_before"
}

export interface WalkReport {
  readonly pages: number
  /** Of those that were committed before page 1 and match: shown not at all, or more than once. */
  readonly skipped: number
  readonly repeated: number
  /** Pages whose payments were not newest first, or did not lie beyond the page before. */
  readonly disordered: number
}

export interface PagesReport {
  readonly inserted: number
  readonly walks: ReadonlyArray<WalkReport>
}

/** `machines`: stores over one database. Payments are begun by each in turn. */
export const walksWhileInserting = Effect.fnUntraced(function* (
  machines: ReadonlyArray<PaymentStore["Service"]>,
  options: { readonly inserts: number; readonly walks: ReadonlyArray<Walk>; readonly seed: number }
) {
  const begin = (numbers: ReadonlyArray<number>) =>
    Effect.forEach(
      numbers,
      (n, index) => {
        const store = machines[index % machines.length]
        return store === undefined ? Effect.void : store.begin({ record: numbered(n), binding: null })
      },
      { concurrency: 32, discard: true }
    )
  const known = Array.from({ length: BEFORE }, (_, index) => (index + 1) * APART)
  yield* begin(known)
  const late = lateNumbers(options.inserts, options.seed)
  const state = { inserted: 0 }
  const insertSome = (count: number) =>
    Effect.suspend(() => {
      const next = late.slice(state.inserted, state.inserted + count)
      state.inserted += next.length
      return begin(next)
    })
  const pagesAtLeast = Math.ceil((options.walks.length * BEFORE) / LIMIT / 4)
  const perPage = Math.ceil(options.inserts / pagesAtLeast)
  const walks = yield* Effect.forEach(
    options.walks,
    (walk) => Effect.map(walked(walk, insertSome(perPage)), (pages) => reportOf(walk, pages, known)),
    { concurrency: "unbounded" }
  ).pipe(Effect.provide(engineOn(machines[0])))
  return { inserted: state.inserted, walks } satisfies PagesReport
})

const LIMIT = 20

/**
 * Most are newer than all that were there, in the order of a system where each commit takes its own time; a fifth was
 * begun among the old ones and is committed only now.
 */
const lateNumbers = (count: number, seed: number): ReadonlyArray<number> => {
  const random = SeededRandom.stream(seed, "commits")
  return Array.from({ length: count }, (_, index) =>
    index % 5 === 0
      ? { n: (1 + (index % BEFORE)) * APART + 1 + Math.floor(index / BEFORE), at: random.next() * count }
      : { n: (BEFORE + 1) * APART + index, at: index + random.next() * 200 }
  )
    .toSorted((one, other) => one.at - other.at)
    .map(({ n }) => n)
}

const currencies = ["INR", "EUR", "USD"] as const

const numbered = (n: number) =>
  PaymentRecords.aRecord(n, {
    amount: { minorUnits: 100, currency: PaymentRecords.currency(currencies[n % 3] ?? "INR") },
    metadata: { order_id: n % 2 === 0 ? "even" : "odd" },
    createdAt: 1_000_000 + n
  })

/** Whether a payment with this number is shown. */
const matches = ({ query }: Walk, n: number): boolean =>
  query.every(([name, value]) => {
    if (name === "currency") return currencies[n % 3] === value
    return name !== "metadata[order_id]" || value === (n % 2 === 0 ? "even" : "odd")
  })

/** To the end of the list. While a page is read, others are inserting. */
const walked = Effect.fnUntraced(function* (walk: Walk, insert: Effect.Effect<void, unknown>) {
  const signed = cursors([Redacted.make("a secret of this test")])
  const { tenant } = PaymentRecords
  const pages: Array<ReadonlyArray<string>> = []
  let cursor: string | null =
    walk.cursor === "ending_before" ? signed.write(tenant, PaymentRecords.paymentId(APART - 1)) : null
  do {
    const query: Walk["query"] = [
      ...walk.query,
      ["limit", String(LIMIT)],
      ...(cursor === null ? [] : [[walk.cursor, cursor] as const])
    ]
    const [page]: readonly [PaymentListJson, void] = yield* Effect.all([listPayments(tenant, query, signed), insert], {
      concurrency: "unbounded"
    })
    pages.push(page.data.map(({ id }) => id))
    cursor = page.next_cursor
  } while (cursor !== null)
  return pages
})

const reportOf = (
  walk: Walk,
  pages: ReadonlyArray<ReadonlyArray<string>>,
  known: ReadonlyArray<number>
): WalkReport => {
  const shown = new Map<string, number>()
  for (const id of pages.flat()) shown.set(id, (shown.get(id) ?? 0) + 1)
  const due = known.filter((n) => matches(walk, n)).map((n): PaymentId => PaymentRecords.paymentId(n))
  const inOrder = walk.cursor === "starting_after" ? pages.flat() : pages.toReversed().flat()
  return {
    pages: pages.length,
    skipped: due.filter((id) => !shown.has(id)).length,
    repeated: [...shown.values()].filter((times) => times > 1).length,
    disordered: inOrder.filter((id, index) => index > 0 && id >= (inOrder[index - 1] ?? "")).length
  }
}

/** Takes no payment here: it is there because the list is read through it. */
const idle = defineProvider({
  id: "idle",
  options: Schema.Struct({}),
  mode: () => "test",
  capabilities: () => ({ methods: {}, operations: { create: {} } }),
  make: () => Effect.succeed({ create: () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" })) })
})({})

const engineOn = (store: PaymentStore["Service"] | undefined) =>
  Engine.layer({ providers: [idle], publicUrl: "http://localhost:4310", drain: 0 }).pipe(
    Layer.provide(Ids.layer),
    Layer.provide(
      store === undefined
        ? Layer.effect(PaymentStore, Effect.die(new Error("no machine")))
        : Layer.succeed(PaymentStore, store)
    )
  )
