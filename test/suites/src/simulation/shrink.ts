/** Makes a plan that fails smaller, as long as it fails in the same way: fewer payments, fewer incidents, calmer scripts. */
import type { CreateScript, FollowUpScript, PaymentPlan, Plan } from "./Plan.ts"
import { plainCreate, plainFollowUp } from "./TestEnvironment.ts"

/** Whether a plan still shows what the first one showed. */
export type Fails = (plan: Plan) => Promise<boolean>

/** @param involved the payment that the violation is about: it stays */
export const shrink = async (plan: Plan, involved: number, fails: Fails): Promise<Plan> => {
  const alone = { ...plan, payments: plan.payments.filter(({ n }) => n === involved) }
  let smallest = (await fails(alone)) ? alone : await withoutPayments(plan, involved, fails)
  smallest = await without(smallest, smallest.incidents, (incidents) => ({ ...smallest, incidents }), fails)
  let before: Plan
  do {
    before = smallest
    for (const simplify of calmer) {
      const smaller = simplify(smallest)
      if (!isSame(smaller, smallest) && (await fails(smaller))) smallest = smaller
    }
    for (const { n } of smallest.payments) {
      for (const calm of calming) {
        const payments = smallest.payments.map((each) => (each.n === n ? calm(each) : each))
        const smaller = { ...smallest, payments }
        if (!isSame(smaller, smallest) && (await fails(smaller))) smallest = smaller
      }
    }
  } while (!isSame(before, smallest))
  return smallest
}

const withoutPayments = (plan: Plan, involved: number, fails: Fails): Promise<Plan> =>
  without(
    plan,
    plan.payments.filter(({ n }) => n !== involved),
    (others) => ({
      ...plan,
      payments: plan.payments.filter((payment) => payment.n === involved || others.includes(payment))
    }),
    fails
  )

/** Leaves out halves, then quarters, then single ones, as long as it still fails. */
const without = async <A>(
  plan: Plan,
  all: ReadonlyArray<A>,
  planOf: (kept: ReadonlyArray<A>) => Plan,
  fails: Fails
): Promise<Plan> => {
  let kept = all
  let smallest = plan
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < kept.length;) {
      const fewer = [...kept.slice(0, from), ...kept.slice(from + size)]
      const smaller = planOf(fewer)
      if (await fails(smaller)) {
        kept = fewer
        smallest = smaller
      } else from += size
    }
  }
  return smallest
}

const isSame = (a: Plan, b: Plan): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Each takes one thing away. */
const calming: ReadonlyArray<(payment: PaymentPlan) => PaymentPlan> = [
  (payment) => ({ ...payment, actions: [] }),
  (payment) => ({ ...payment, actions: payment.actions.slice(1) }),
  (payment) => ({ ...payment, actions: payment.actions.slice(0, -1) }),
  (payment) => ({ ...payment, repeats: [] }),
  (payment) => ({ ...payment, abortAfter: null }),
  (payment) => ({ ...payment, inquiries: [] }),
  (payment) => ({ ...payment, key: null, repeats: [] }),
  ...[0, 1, 2, 3, 4, 5].flatMap((index) => [
    create(index, () => plainCreate),
    create(index, (is) => ({ ...is, webhooksAfter: [] })),
    create(index, (is) => ({ ...is, webhooksAfter: is.webhooksAfter.slice(0, 1) }))
  ]),
  ...[0, 1, 2, 3].flatMap((index) => [
    followUp(index, () => plainFollowUp),
    followUp(index, (is) => ({ ...is, webhooksAfter: [] })),
    followUp(index, (is) => ({ ...is, webhooksAfter: is.webhooksAfter.slice(0, 1) }))
  ])
]

function create(index: number, calm: (script: CreateScript) => CreateScript) {
  return (payment: PaymentPlan): PaymentPlan => ({
    ...payment,
    creates: payment.creates.map((is, place) => (place === index ? calm(is) : is))
  })
}

function followUp(index: number, calm: (script: FollowUpScript) => FollowUpScript) {
  return (payment: PaymentPlan): PaymentPlan => ({
    ...payment,
    followUps: payment.followUps.map((is, place) => (place === index ? calm(is) : is))
  })
}

/** What surrounds the payments, taken away. */
const calmer: ReadonlyArray<(plan: Plan) => Plan> = [
  (plan) => ({ ...plan, clocks: [] }),
  (plan) => ({ ...plan, operator: null }),
  (plan) => ({ ...plan, engines: "one" }),
  (plan) => ({ ...plan, vendors: plan.vendors.map((vendor) => ({ ...vendor, breaks: { keyLifetime: null } })) })
]
