/** Payment Links as Cashfree's documentation and integrators describe them: the payer pays by orders that Cashfree makes. */
import type { FakeAnswer, FakeRequest, Ledger, LedgerPayment } from "@paymux/testkit/fake"
import { orderToWire, paymentOf } from "./answers.ts"
import { booksOf, type Link, type Order } from "./books.ts"
import { paise, Rupees } from "./literals.ts"
import { bad, featureNotEnabled, notFound, ok } from "./replies.ts"
import { CreateLink, decode } from "./requests.ts"

export const createLink = ({ headers, text }: FakeRequest, ledger: Ledger): FakeAnswer => {
  const request = decode(CreateLink, text)
  const { hasLinks, links, orders, ways } = booksOf(ledger)
  if (!hasLinks) return featureNotEnabled("link_creation_api", "PaymentLink_link_creation_api_failed", ways.notEnabled)
  if (links.has(request.link_id)) {
    const { status, ...error } = ways.duplicateLink
    return { status, json: { ...error, type: "invalid_request_error" } }
  }
  if (Date.parse(request.link_expiry_time) <= ledger.now()) return bad("link_expiry_time_invalid")
  const link: Link = {
    id: request.link_id,
    cfId: String(1_996_567 + links.size),
    request,
    orders: [],
    isOpened: false,
    isCancelled: false
  }
  links.set(link.id, link)
  const order = orderOfLink(link, ledger, headers["x-client-id"]?.startsWith("TEST") === true)
  link.orders.push(order)
  orders.set(order.id, order)
  ledger.open({
    amount: { minorUnits: order.paise, currency: "INR" },
    capture: "automatic",
    reference: order.id,
    awaitsPayer: true
  })
  return ok(linkToWire(link, ledger))
}

/** Another order of the same link, as for a payer who tries again. */
export const orderOfLink = (link: Link, ledger: Ledger, isSandbox = true): Order => ({
  id: `CFPay_${codeOf(link)}_${link.orders.length}${link.cfId}`,
  paise: paise(link.request.link_amount),
  expiresAt: new Date(ledger.now() + 20 * 60_000).toISOString(),
  createdAt: `2026-01-02T03:04:${String(5 + link.orders.length).padStart(2, "0")}+05:30`,
  customer: { customer_id: "link_payer", customer_phone: "9812345678" },
  tags: { cf_link_id: link.cfId, ...(booksOf(ledger).ways.linkTags !== "cf_link_id" && { link_id: link.id }) },
  link,
  sessions: [{ id: `${link.cfId}${link.orders.length}`, channel: "link" }],
  isSandbox,
  isTerminated: false,
  isAtBank: false
})

/** A part of the link's address, and of the names of its orders. */
const codeOf = ({ cfId }: Link): string => `o${cfId}code`

export const linkOf = (id: string, ledger: Ledger, answer: (link: Link) => FakeAnswer): FakeAnswer => {
  const link = booksOf(ledger).links.get(id)
  return link === undefined ? notFound("link") : answer(link)
}

export const cancelLink = (link: Link, ledger: Ledger): FakeAnswer => {
  if (statusOf(link, ledger) !== "ACTIVE") {
    const json = { message: "link is not active", code: "link_cannot_be_cancelled", type: "invalid_request_error" }
    return { status: 409, json }
  }
  link.isCancelled = true
  const payment = mainPayment(link, ledger)
  if (payment?.status === "pending" && !isListed(link, payment)) ledger.cancel(payment.id)
  return ok(linkToWire(link, ledger))
}

/** The order that is made with the link is listed once its payer has opened the page. */
export const linkOrders = (link: Link, ledger: Ledger): FakeAnswer => {
  const [first, ...others] = link.orders
  const listed = first !== undefined && isListed(link, mainPayment(link, ledger)) ? [first, ...others] : others
  return ok(listed.map((order) => ({ ...orderToWire(order, ledger), link_id: link.id })))
}

const isListed = ({ isOpened, orders }: Link, payment: LedgerPayment | undefined): boolean =>
  isOpened || orders[0]?.isAtBank === true || payment?.status === "captured" || payment?.status === "declined"

const mainPayment = ({ orders: [first] }: Link, ledger: Ledger) => first && paymentOf(first, ledger)

const statusOf = (link: Link, ledger: Ledger): string => {
  if (link.orders.some((order) => paymentOf(order, ledger)?.status === "captured")) return "PAID"
  if (link.isCancelled) return "CANCELLED"
  const payment = mainPayment(link, ledger)
  // Its payer's bank refused, and it was not paid until it expired.
  return payment?.status === "expired" || payment?.status === "declined" ? "EXPIRED" : "ACTIVE"
}

export const linkToWire = (link: Link, ledger: Ledger) => {
  const { link_amount, ...request } = link.request
  const captured = link.orders.map((order) => paymentOf(order, ledger)?.captured ?? 0)
  return {
    ...request,
    cf_link_id: link.cfId,
    link_status: statusOf(link, ledger),
    link_amount: new Rupees(paise(link_amount)),
    link_amount_paid: new Rupees(captured.reduce((sum, each) => sum + each, 0)),
    link_created_at: "2026-01-02T03:04:05+05:30",
    link_url: `https://payments-test.cashfree.com/links/${codeOf(link)}`,
    link_qrcode: "data:image/png;base64,iVBORw0KGgo"
  }
}
