/** What Cashfree keeps beside the ledger of payments: its orders, and what a test says of its ways. */
import type { FakeAnswer, Ledger } from "@paymux/testkit/fake"

export interface Order {
  readonly id: string
  readonly paise: number
  readonly expiresAt: string
  readonly customer: object
  readonly tags: object | null
  /** `code`: of an earlier one that failed, while a later one is open. */
  readonly sessions: Array<{ readonly id: string; readonly channel: string; readonly code?: string }>
  isTerminated: boolean
  /** Its payer has approved, and the bank has not answered. */
  readonly isSandbox: boolean
  isAtBank: boolean
}

export interface Books {
  readonly orders: Map<string, Order>
  readonly answered: Map<string, { readonly asked: string; readonly answer: FakeAnswer }>
  /** Paise that Cashfree adds to each payment, for its own fee and the tax on it. */
  surcharge: { readonly charge: number; readonly tax: number } | null
  /** It terminates no order. */
  refusesTermination: boolean
}

const allBooks = new WeakMap<Ledger, Books>()

export const booksOf = (ledger: Ledger): Books => {
  const found: Books = allBooks.get(ledger) ?? {
    orders: new Map(),
    answered: new Map(),
    surcharge: null,
    refusesTermination: false
  }
  allBooks.set(ledger, found)
  return found
}
