/** Every page of the dashboard, with the ids of what the example data has. */
import type { APIRequestContext } from "playwright-core"

export interface DashboardPage {
  /** Of a screenshot's file. */
  readonly name: string
  /** From the root of the server. */
  readonly path: string
  /** Whether it is for people who are not signed in. */
  readonly signedOut: boolean
}

/** Behind account and mode. A detail page stands below a list, and shows what `find` chooses of it. */
const lists = [
  "payments",
  "refunds",
  "reviews",
  "reports",
  "statements",
  "keys",
  "endpoints",
  "deliveries",
  "events",
  "requests",
  "routing",
  "routing/history",
  "routing/backtest",
  "routing/explain",
  "providers",
  "team",
  "audit"
]

/** `request`: of a context in which an owner is signed in. `url`: of the server. */
export const pagesOf = async (request: APIRequestContext, url: string): Promise<ReadonlyArray<DashboardPage>> => {
  const base = "/dashboard/default/test"
  const first = async (query: string, field = "id"): Promise<string> => {
    const response = await request.get(`${url}/dashboard/api/default/test/${query}`)
    const [, id] = new RegExp(`"${field}":"([^"]+)"`).exec(await response.text()) ?? []
    if (id === undefined) throw new Error(`No ${field} was found: ${query} was answered ${response.status()}.`)
    return id
  }
  const details: ReadonlyArray<readonly [name: string, path: string]> = [
    // One with a refund has the most to show.
    ["payment", `payments/${await first("refunds?limit=1", "payment")}`],
    ["refund", `refunds/${await first("refunds?limit=1")}`],
    ["report", `reports/${await first("reports?limit=1")}`],
    ["review", `reviews/${await first("reviews?limit=1", "paymentId")}`],
    ["endpoint", `endpoints/${await first("endpoints")}`],
    ["event", `events/${await first("events?limit=1")}`],
    ["request", `requests/${await first("requests?limit=1&status=4xx")}`],
    ["statement", "statements/sandbox_card_a"],
    ["payouts", "statements/sandbox_card_a/payouts"],
    [
      "payout",
      `statements/sandbox_card_a/payout?payout=${await first("statements/sandbox_card_a/movements?of=payouts", "payout")}`
    ],
    ["foreign-movements", "statements/sandbox_card_a/foreign"],
    ["provider", `providers/${await first("providers")}`]
  ]
  return [
    { name: "home", path: `${base}/`, signedOut: false },
    ...lists.map((list) => ({ name: list.replace("/", "-"), path: `${base}/${list}`, signedOut: false })),
    ...details.map(([name, path]) => ({ name, path: `${base}/${path}`, signedOut: false })),
    { name: "two-factor", path: "/dashboard/two-factor", signedOut: false },
    ...["sign-in", "join#token", "reset#token", "open#token"].map((page) => ({
      name: page.replace("#token", ""),
      path: `/dashboard/${page}`,
      signedOut: true
    }))
  ]
}
