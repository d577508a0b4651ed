/** What the checklist knows: only what is in the database. A step is done when its fact is there, however it came about. */
import { useGet } from "../../../api/client.ts"
import type { Schemas } from "../../../api/client.ts"
import { useTenant } from "../../../session/session.ts"

export interface SetupFacts {
  /** Accepted keys, newest first. */
  readonly keys: ReadonlyArray<Schemas["ApiKey"]>
  /** The newest payment. */
  readonly payment: Schemas["Payment"] | null
  /** The newest that was paid or authorized. */
  readonly paid: Schemas["Payment"] | null
  /** Endpoints of other programs that are not disabled, oldest first. */
  readonly endpoints: ReadonlyArray<Schemas["WebhookEndpoint"]>
  /** The latest event that a receiver accepted. */
  readonly delivery: Schemas["WebhookDelivery"] | null
}

export const stepNames = ["key", "payment", "paid", "endpoint", "event"] as const
export type StepName = (typeof stepNames)[number]

export const isDone = (facts: SetupFacts): { readonly [name in StepName]: boolean } => ({
  key: facts.keys.length > 0,
  payment: facts.payment !== null,
  paid: facts.paid !== null,
  endpoint: facts.endpoints.length > 0,
  event: facts.delivery !== null
})

export interface SetupQuery {
  /** `null`: not read yet. */
  readonly facts: SetupFacts | null
  readonly error: unknown
  readonly retry: () => void
}

/** `interval`: ms between reads of what is awaited, until it is there; 0: it is read once. */
export const useSetupFacts = (interval: number): SetupQuery => {
  const path = { ...useTenant() }
  const keys = useGet("/dashboard/api/{account}/{mode}/keys", { path })
  const payments = useNewest(undefined, interval)
  const paid = useNewest(paidStatuses, payments.data?.data.length === 0 ? 0 : interval)
  const endpoints = useGet("/dashboard/api/{account}/{mode}/endpoints", { path })
  const deliveries = useDelivered(endpoints.data?.data.length === 0 ? 0 : interval)
  const queries = [keys, payments, paid, endpoints, deliveries]
  const facts =
    keys.data === undefined ||
    payments.data === undefined ||
    paid.data === undefined ||
    endpoints.data === undefined ||
    deliveries.data === undefined
      ? null
      : {
          keys: keys.data.data.filter(isAccepted),
          payment: payments.data.data[0] ?? null,
          paid: paid.data.data[0] ?? null,
          endpoints: endpoints.data.data.filter(({ disabledAt, url }) => disabledAt === null && url.startsWith("http")),
          delivery: deliveries.data.data[0] ?? null
        }
  return {
    facts,
    error: queries.find(({ error }) => error !== null)?.error ?? null,
    retry: () => void Promise.all(queries.map(({ refetch }) => refetch()))
  }
}

type PaymentStatus = Schemas["Payment"]["status"]

const paidStatuses: Array<PaymentStatus> = ["succeeded", "authorized"]

/** What is awaited is its payment by the payer: one that is paid is not read again. */
const useNewest = (status: Array<PaymentStatus> | undefined, interval: number) =>
  useGet(
    "/dashboard/api/{account}/{mode}/payments",
    { path: { ...useTenant() }, query: { limit: "1", ...(status !== undefined && { status }) } },
    { refetchInterval: (found) => (isPaid(found?.data[0]) ? false : interval) }
  )

const isPaid = (payment: Schemas["Payment"] | undefined): boolean =>
  payment !== undefined && paidStatuses.includes(payment.status)

const useDelivered = (interval: number) =>
  useGet(
    "/dashboard/api/{account}/{mode}/deliveries",
    { path: { ...useTenant() }, query: { status: "delivered", limit: "1" } },
    { refetchInterval: (found) => ((found?.data.length ?? 0) > 0 ? false : interval) }
  )

const isAccepted = ({ expiresAt, revokedAt }: Schemas["ApiKey"]): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > Date.now())
