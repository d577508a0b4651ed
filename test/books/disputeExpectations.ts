/** What has to hold of every history of disputes, written from the rules and from the vendor's ledger alone. */
import { paymentJson } from "../../packages/core/src/wire/PaymentJson.ts"
import { noHostedPage } from "../../packages/core/src/wire/HostedPage.ts"
import { playDisputeHistory, refundedBy } from "./DisputeHistory.ts"
import type { DisputeHistory } from "./DisputeHistory.ts"

export const faultsOfDisputes = (seed: number): ReadonlyArray<string> => {
  const history = playDisputeHistory(seed, (record) => paymentJson(record, noHostedPage).amount_disputed ?? 0)
  return [
    ...neverMoreThanLeft(history),
    ...neverRefusedWithoutReason(history),
    ...disputesAgree(history),
    ...returnedTwiceIsInReview(history)
  ].map((text) => `seed ${seed}: ${text}`)
}

const neverMoreThanLeft = ({ decisions }: DisputeHistory): ReadonlyArray<string> =>
  decisions
    .filter(({ asked, by, isAllowed, left }) => isAllowed && by !== "operator" && asked > left)
    .map(({ asked, by, left }) => `the ${by} refunds ${asked}, and ${left} was left`)

const neverRefusedWithoutReason = ({ decisions }: DisputeHistory): ReadonlyArray<string> =>
  decisions
    .filter(({ asked, isAllowed, left }) => !isAllowed && asked <= left)
    .map(({ asked, left }) => `${asked} is refused, and ${left} was left`)

const disputesAgree = ({ disputed }: DisputeHistory): ReadonlyArray<string> =>
  disputed.flatMap(([engine, naive], place) =>
    engine === naive ? [] : [`turn ${place}: ${engine} is disputed, and ${naive} was reported`]
  )

/** Once every report has arrived. */
const returnedTwiceIsInReview = ({ record, vendor }: DisputeHistory): ReadonlyArray<string> => {
  const disputed = vendor.disputes.reduce((sum, { amount, status }) => sum + (status === "won" ? 0 : amount), 0)
  const twice = refundedBy(vendor) + Math.min(vendor.captured, disputed) - vendor.captured
  const inReview = record.payment.reviews.reduce(
    (sum, { minorUnits, reason }) =>
      reason === "disputed_refund" || reason === "excess_refund" ? sum + minorUnits : sum,
    0
  )
  return twice > inReview ? [`${twice} is returned twice, and ${inReview} is in review`] : []
}
