/**
 * For each group of the control API: an object of an account, for the routes with an id. `null`: it has no ids. An endpoint
 * whose ids are of something else has an entry of its own.
 */
import type { Operations } from "../../src/Operations.ts"
import { ask, publicUrl } from "./ControlServer.ts"
import type { ControlServer } from "./ControlServer.ts"

type Seed = (operations: Operations, server: ControlServer, account: string) => Promise<string>

const request: Seed = async ({ apiKeys }, { fetch }) => {
  const { key } = await apiKeys.create()
  const asked = new Request(`${publicUrl}/v1/payments`, { headers: { authorization: `Bearer ${key}` } })
  return (await fetch(asked)).headers.get("request-id") ?? ""
}

const payment = async ({ payments }: Operations) =>
  (
    await payments.create({
      amount: 1_000,
      currency: "EUR",
      payment_method: "card",
      payment_method_details: { card: { token: "tok_success" } },
      customer: { email: "asha@example.com", phone: "+919999999999" }
    })
  ).id

const paidEvent = async (operations: Operations) => {
  await operations.webhookEndpoints.add({ url: "https://127.0.0.1/hooks" })
  await payment(operations)
  const [event] = (await operations.events.list({ limit: 1 })).data
  return event?.id ?? ""
}

const invitation: Seed = (_operations, { addInvitation }, account) => addInvitation(account)

/** By someone with a role in every account: `every_owner` of the server's people. Canceled, so that it leaves its place. */
const backtest: Seed = async (_operations, server, account) => {
  const path = `/dashboard/api/${account}/test/rules/backtests`
  const started = await ask(server, { method: "POST", path, as: "every_owner", body: { from: 0 } })
  // Boundary: what this test reads of a backtest.
  const { id } = (await started.json()) as { readonly id: string }
  await ask(server, { method: "DELETE", path: `${path}/${id}`, as: "every_owner" })
  return id
}

export const seeds: { readonly [groupOrEndpoint: string]: Seed | null } = {
  keys: async ({ apiKeys }) => (await apiKeys.create({ name: "seed" })).id,
  endpoints: async ({ webhookEndpoints }) => (await webhookEndpoints.add({ url: "https://shop.io/hooks" })).id,
  payments: payment,
  refunds: async (operations) => (await operations.refunds.create(await payment(operations), { amount: 400 })).id,
  events: paidEvent,
  deliveries: paidEvent,
  reviews: payment,
  disputes: payment,
  // Reports belong to no account, and none has this id.
  reports: async () => "rpt_999999000",
  audit: null,
  requests: request,
  statistics: null,
  breakers: null,
  // Instances and their statements belong to no account: this one exists nowhere.
  providers: async () => "acme_eu",
  statements: async () => "acme_eu",
  rules: backtest,
  team: (_operations, { addUser }, account) => addUser(account),
  "team.revokeInvitation": invitation,
  "team.renewInvitation": invitation,
  session: null,
  sign_in: null,
  system: null
}
