/** What clients and their surroundings agree on: which engine answers, and what a request is. */
import type { PaymentError, Payments } from "@paymux/core"
import type { Effect } from "effect"
import type { Process } from "../engine/Process.ts"
import type { ClientAnswer } from "../History.ts"
import type { RequestView } from "../judge/index.ts"
import type { TestEnvironment } from "../TestEnvironment.ts"

export type Service = Payments["Service"]

/** The engine that answers now. */
export interface Server {
  readonly process: Process
  readonly payments: Service
}

export const tenant = { account: "default", livemode: false } as const

export interface Request<A> {
  readonly n: number
  readonly call: string
  readonly key: string | null
  readonly wants?: RequestView["wants"]
  readonly run: (payments: Service) => Effect.Effect<A, PaymentError>
  readonly answer: (value: A) => ClientAnswer
  /** What the client does once it is answered. */
  readonly next?: (value: A) => void
  readonly abortAfter: number | null
}

export interface Clients {
  readonly environment: TestEnvironment
  readonly ask: <A>(request: Request<A>, tries?: number) => void
}
