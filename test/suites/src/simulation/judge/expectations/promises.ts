/** What a client was promised: an acknowledged payment stays, one key makes one payment, one key answers one text. */
import type { RequestView } from "../facts.ts"
import { notJudged, verdict } from "../Expectation.ts"
import type { Case, Expectation } from "../Expectation.ts"
import { SECRET } from "../secret.ts"

type Accepted = RequestView & { readonly answer: Extract<RequestView["answer"], { readonly kind: "accepted" }> }

const accepted = ({ requests }: Case): ReadonlyArray<Accepted> =>
  requests.filter((request): request is Accepted => request.answer.kind === "accepted")

/** A database that loses its last commits loses what was acknowledged in that time, and no more. */
const isLost = ({ lostCommits }: Case, at: number): boolean =>
  lostCommits.some(({ from, to }) => at >= from && at <= to)

/** What was acknowledged is listed at the end. */
export const acknowledgedIsKept: Expectation = (one) => {
  const known = new Set([...one.payments, ...one.refunds].map(({ id }) => id))
  const answers = accepted(one)
  return verdict(
    answers.length,
    answers.map(({ answer, at, call }) =>
      known.has(answer.id) || isLost(one, at) ? null : `the ${call} ${answer.id} was acknowledged and is gone`
    )
  )
}

/**
 * The same key answers the same bytes. What was sent is answered although the database does not take the answer: then only
 * as it was begun, and with the same id as later.
 */
export const sameKeySameAnswer: Expectation = (one) => {
  const first = new Map<string, string>()
  const ids = new Map<string, string>()
  const keyed = accepted(one).filter(({ at, key }) => key !== null && !isLost(one, at))
  return verdict(
    keyed.length,
    keyed.map(({ answer, call, key }) => {
      const name = `${call} ${String(key)}`
      const id = ids.get(name) ?? answer.id
      ids.set(name, id)
      if (id !== answer.id) return `${name} was answered with two different ids`
      if (!answer.kept) return answer.replayed ? `${name} was answered again with bytes that were not stored` : null
      const body = first.get(name) ?? answer.body
      first.set(name, body)
      return body === answer.body ? null : `${name} was answered with two different bodies`
    })
  )
}

/** An order with a key becomes one payment at most; without one, one for each request. */
export const oneKeyOnePayment: Expectation = (one) => {
  if (one.payments.length === 0) return notJudged
  const most = one.order.key === null ? one.requests.filter(({ call }) => call === "create").length : 1
  return verdict(1, [one.payments.length > most ? `${one.payments.length} payments for one key` : null])
}

/**
 * A merchant's refund is made once, however often it is asked for under its key, and for the amount that was asked. A request that
 * was refused may leave a failed one, if its first commit came after the answer: nothing is sent for it.
 */
export const refundsAreWanted: Expectation = ({ refunds, requests }) => {
  const asked = requests.flatMap(({ answer, wants }) => (wants?.kind === "refund" ? [{ answer, ...wants }] : []))
  const refused = asked.filter(({ answer }) => answer.kind === "refused")
  const wanted = new Map(
    asked.filter(({ answer }) => answer.kind !== "refused").map(({ minorUnits, name }) => [name, minorUnits])
  )
  const amounts = [...wanted.values()]
  const failedAmounts = [...amounts, ...refused.map(({ minorUnits }) => minorUnits)]
  const made = refunds.filter(({ status }) => status !== "failed")
  return verdict(refunds.length, [
    made.length > wanted.size ? `${wanted.size} refunds were wanted, ${made.length} made` : null,
    refunds.length > wanted.size + refused.length
      ? `${asked.length} refunds were asked for, ${refunds.length} are shown`
      : null,
    ...refunds.map(({ amount, id, status }) =>
      (status === "failed" ? failedAmounts : amounts).includes(amount)
        ? null
        : `${id} is for ${amount}, which was not asked`
    )
  ])
}

/** No provider's secret appears in anything that the API says. */
export const secretsStayInside: Expectation = (one) => {
  const texts = [
    ...one.payments.map((payment) => JSON.stringify(payment)),
    ...one.events.map(({ body }) => body),
    ...accepted(one).map(({ answer }) => answer.body)
  ]
  return verdict(texts.length, [texts.some((text) => text.includes(SECRET)) ? "a provider's secret was shown" : null])
}
