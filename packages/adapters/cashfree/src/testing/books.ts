/** What Cashfree keeps beside the ledger of payments: its orders and links, the features of the account, and what a test decides. */
import type { FakeAnswer, Ledger } from "@paymux/testkit/fake"

export interface Order {
  readonly id: string
  readonly paise: number
  readonly expiresAt: string
  readonly createdAt: string
  readonly customer: object
  readonly tags: object | null
  /** The link that the order was made for. */
  readonly link?: Link
  /** `code`: of an earlier one that failed, while a later one is open. */
  readonly sessions: Array<{ readonly id: string; readonly channel: string; readonly code?: string }>
  isTerminated: boolean
  readonly isSandbox: boolean
  /** Its payer has approved, and the bank has not answered. */
  isAtBank: boolean
}

export interface Link {
  readonly id: string
  /** Cashfree's own id. */
  readonly cfId: string
  readonly request: { readonly link_amount: string; readonly [field: string]: unknown }
  /** One is made with the link, and listed when the payer has opened the page; the ledger has its payment. */
  readonly orders: Array<Order>
  /** The payer has opened the page: its order can be paid until it ends, also after the link has ended. */
  isOpened: boolean
  isCancelled: boolean
}

/** Which of Cashfree's contradicting ways it has: documents and reports of integrators differ. */
interface Ways {
  /** How a second link of the same id is refused. */
  duplicateLink: { readonly status: number; readonly code: string; readonly message: string }
  /** Which tag of an order names its link: the documentation shows `cf_link_id` alone, live deliveries have both. */
  linkTags: "link_id and cf_link_id" | "cf_link_id"
  /** Which of the two reports of a paid link is posted. */
  paidLink: "PAYMENT_LINK_EVENT" | "PAYMENT_SUCCESS_WEBHOOK"
  /** The status of a feature that is not enabled. */
  notEnabled: 400 | 403
}

export const duplicateLinks = [
  { status: 409, code: "link_already_exists", message: "link with same id is already present" },
  { status: 409, code: "link_post_failed", message: "link_id already exists" },
  { status: 400, code: "link_post_failed", message: "link_id already exists" }
] as const

export interface Books {
  readonly orders: Map<string, Order>
  readonly links: Map<string, Link>
  readonly answered: Map<string, { readonly asked: string; readonly answer: FakeAnswer }>
  /** Order Pay is enabled on request only. */
  hasS2s: boolean
  /** Payment Links by API, which some accounts do not have. */
  hasLinks: boolean
  readonly ways: Ways
  /** Paise that Cashfree adds to each payment, for its own fee and the tax on it. */
  surcharge: { readonly charge: number; readonly tax: number } | null
  /** It terminates no order. */
  refusesTermination: boolean
}

const allBooks = new WeakMap<Ledger, Books>()

export const booksOf = (ledger: Ledger): Books => {
  const found: Books = allBooks.get(ledger) ?? {
    orders: new Map(),
    links: new Map(),
    answered: new Map(),
    hasS2s: false,
    hasLinks: true,
    ways: {
      duplicateLink: duplicateLinks[0],
      linkTags: "link_id and cf_link_id",
      paidLink: "PAYMENT_LINK_EVENT",
      notEnabled: 400
    },
    surcharge: null,
    refusesTermination: false
  }
  allBooks.set(ledger, found)
  return found
}
