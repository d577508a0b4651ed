/**
 * Erases a customer: removes the personal data of the customer's payments from all stores, and keeps the accounting
 * data.
 *
 * It needs the store but no engine, so it can run in a separate process beside running servers: a payment is erased by
 * the same compare-and-set as every other change. A payment with work in progress is not erased, but reported. Erasing
 * again changes nothing.
 */
import { Clock, Context, Data, Effect, Layer } from "effect"
import { erased, erasedCustomer, erasedEvent, erasureHindrance, isFullyErased } from "../../domain/erasure.ts"
import type { ErasureHindrance } from "../../domain/erasure.ts"
import type { PaymentId } from "../../domain/Ids.ts"
import { normalEmail } from "../../domain/normalEmail.ts"
import type { Tenant } from "../../domain/Payment.ts"
import type { PhoneStretch } from "../../store/ErasureStore.ts"
import { everyPayment, PaymentStore, StoreUnavailable } from "../../store/PaymentStore.ts"
import type { ListQuery, Page } from "../../store/PaymentStore.ts"

/** The payments to erase: by the customer's email or phone number, or one payment by its id. */
export type ErasureSubject =
  | { readonly email: string }
  /** The phone number in E.164 format, such as `+919999999999`. */
  | { readonly phone: string }
  | { readonly payment: PaymentId }

/**
 * The reason why an erasure is refused.
 *
 * - `email`, `phone`: the value is not valid.
 * - `placeholder`: the value is the placeholder of erased customers.
 * - `not_found`: there is no such payment in this account and mode.
 */
export class ErasureRefused extends Data.TaggedError("ErasureRefused")<{
  readonly reason: "email" | "phone" | "placeholder" | "not_found"
}> {
  override get message(): string {
    return sentences[this.reason]
  }
}

const sentences = {
  email: "The customer's email must be an e-mail address.",
  phone: "The customer's phone must be a number with + and country code, digits only.",
  placeholder: "This is the placeholder that erased payments have as their customer. It names no person.",
  not_found: "There is no such payment in this account and mode."
} as const

/** The report of an erasure: the numbers of payments by result. */
export interface ErasureReport {
  readonly erased: number
  /** The number of payments that were erased before. */
  readonly already: number
  /** The payments that keep their data for now, with the reason. They have to be erased again later. */
  readonly left: ReadonlyArray<{ readonly payment: PaymentId; readonly reason: ErasureHindrance }>
}

/** Reports the progress of a scan, from 0 to 1. */
type Show = (done: number) => Effect.Effect<void>

/**
 * Erases a payment's data in another store. It is called before and after the payment is erased, so it must be
 * idempotent.
 */
export type ForgetPayment = (payment: PaymentId) => Effect.Effect<void, StoreUnavailable>

export class Erasure extends Context.Service<
  Erasure,
  {
    /**
     * Finds the customer's payments. An email matches every spelling with the same normal form (see `normalEmail`). For
     * a phone number all payments of the account are scanned, with progress.
     */
    readonly find: (
      tenant: Tenant,
      subject: ErasureSubject,
      show?: Show
    ) => Effect.Effect<ReadonlyArray<PaymentId>, ErasureRefused | StoreUnavailable>
    /** Erases the given payments. If it fails, the payments erased so far stay erased. */
    readonly erase: (
      tenant: Tenant,
      payments: ReadonlyArray<PaymentId>,
      show?: Show
    ) => Effect.Effect<ErasureReport, StoreUnavailable>
  }
>()("@paymux/core/execution/Erasure") {
  /**
   * The layer of the service. `forget` are functions that erase a payment's data in other stores, such as webhook
   * deliveries.
   */
  static readonly layer = (forget: ReadonlyArray<ForgetPayment> = []) => Layer.effect(Erasure, make(forget))
}

type Store = PaymentStore["Service"]

const make = Effect.fnUntraced(function* (others: ReadonlyArray<ForgetPayment>) {
  const store = yield* PaymentStore
  const forget: ForgetPayment = (payment) => Effect.forEach(others, (each) => each(payment), { discard: true })
  return Erasure.of({
    find: (tenant, subject, show = silent) => find(store, tenant, subject, show),
    erase: (tenant, payments, show = silent) => eraseAll(store, forget, tenant, payments, show)
  })
})

const find = Effect.fnUntraced(function* (store: Store, tenant: Tenant, subject: ErasureSubject, show: Show) {
  if ("email" in subject) return yield* findByEmail(store, tenant, subject.email)
  if ("phone" in subject) return yield* findByPhone(store, tenant, subject.phone, show)
  const found = yield* store.find(tenant, subject.payment)
  return found === null ? yield* new ErasureRefused({ reason: "not_found" }) : [found.payment.id]
})

const findByEmail = Effect.fnUntraced(function* (store: Store, tenant: Tenant, email: string) {
  const normal = normalEmail(email)
  if (!/^[^\s@]+@[^\s@]+$/.test(normal)) return yield* new ErasureRefused({ reason: "email" })
  if (normal === erasedCustomer.email) return yield* new ErasureRefused({ reason: "placeholder" })
  const customerEmail = [normal]
  const found: Array<PaymentId> = []
  let position: ListQuery["position"] = null
  while (true) {
    const page: Page = yield* store
      .list(tenant, { ...everyPayment, limit: pageSize, customerEmail, position })
      .pipe(Effect.catchTag("ListTimedOut", (cause) => Effect.fail(new StoreUnavailable({ cause }))))
    found.push(...page.records.map(({ payment }) => payment.id))
    const last = page.records.at(-1)
    if (last === undefined || !page.hasMore) return found
    position = { side: "after", id: last.payment.id }
  }
})

const findByPhone = Effect.fnUntraced(function* (store: Store, tenant: Tenant, phone: string, show: Show) {
  if (!/^\+[1-9]\d{6,14}$/.test(phone)) return yield* new ErasureRefused({ reason: "phone" })
  if (phone === erasedCustomer.phone) return yield* new ErasureRefused({ reason: "placeholder" })
  const now = yield* Clock.currentTimeMillis
  const found: Array<PaymentId> = []
  let begin: number | null = null
  let after: PaymentId | null = null
  while (true) {
    const stretch: PhoneStretch = yield* store.erasure.withPhone(tenant, { phone, after, limit: stretchSize })
    found.push(...stretch.found)
    if (stretch.last === null) return found
    after = stretch.last.id
    begin ??= stretch.last.createdAt
    yield* show((stretch.last.createdAt - begin) / Math.max(1, now - begin))
    // Yields to other fibers, so that payments are processed in between.
    yield* Effect.yieldNow
  }
})

const eraseAll = Effect.fnUntraced(function* (
  store: Store,
  forget: ForgetPayment,
  tenant: Tenant,
  payments: ReadonlyArray<PaymentId>,
  show: Show
) {
  const left: Array<ErasureReport["left"][number]> = []
  const count = { done: 0, erased: 0, already: 0 }
  const all = Effect.forEach(
    payments,
    Effect.fnUntraced(function* (payment) {
      const outcome = yield* eraseOne(store, forget, tenant, payment)
      if (outcome === "erased" || outcome === "already") count[outcome]++
      else if (outcome !== null) left.push({ payment, reason: outcome })
      count.done++
      yield* show(count.done / payments.length)
    }),
    { concurrency: atOnce, discard: true }
  )
  // Removes the copies of erased data that the database keeps outside of its tables. This also runs after an error, and
  // if an earlier run that failed had already erased all the payments.
  yield* Effect.onError(all, () => Effect.ignore(store.erasure.cutBack()))
  if (count.erased + count.already > 0) yield* store.erasure.cutBack()
  return { erased: count.erased, already: count.already, left: left.toSorted(byId) }
})

/** Erases one payment; `null` if it is no longer in the database. */
const eraseOne = Effect.fnUntraced(function* (store: Store, forget: ForgetPayment, tenant: Tenant, id: PaymentId) {
  while (true) {
    const before = yield* store.find(tenant, id)
    if (before === null) return null
    const hindrance = erasureHindrance(before)
    if (hindrance !== null) return hindrance
    // Erases the payment in other stores first, because after its erasure it is no longer found by its customer.
    yield* forget(id)
    const events = yield* store.erasure.eventsOf(id)
    const isAlready = isFullyErased(before, events, yield* store.evidenceOf(id))
    if (!isAlready) {
      const after = erased(before, yield* Clock.currentTimeMillis)
      if (!(yield* store.erasure.erase({ before, after, events: events.map(erasedEvent) }))) continue
      // Erases the payment in other stores again (such as webhook deliveries), for copies of the old data that were
      // written during the erasure.
      yield* forget(id)
    }
    yield* store.erasure.forgetAnswers(id)
    return isAlready ? ("already" as const) : ("erased" as const)
  }
})

const silent: Show = () => Effect.void
const byId = (a: { readonly payment: PaymentId }, b: { readonly payment: PaymentId }): number =>
  a.payment < b.payment ? -1 : 1

const pageSize = 100
/** The number of payments that one query scans without an index: some milliseconds. */
const stretchSize = 500
/** The number of concurrent erasures, which share disk flushes. It is low enough for servers to keep running. */
const atOnce = 8
