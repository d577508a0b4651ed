/** What clients and the world agree on: who answers, and what a request is. */
import type { PaymentError, Payments } from "@paymux/core"
import type { Effect } from "effect"
import type { Entry } from "./History.ts"
import type { Process } from "./Process.ts"
import type { World } from "./World.ts"

export type Service = Payments["Service"]

/** The engine that answers now. */
export interface Server {
  readonly process: Process
  readonly payments: Service
}

export const tenant = { account: "default", livemode: false } as const

export type Answer = Extract<Entry, { readonly kind: "client" }>["answer"]

export interface Request<A> {
  readonly n: number
  readonly call: string
  readonly key: string | null
  readonly run: (payments: Service) => Effect.Effect<A, PaymentError>
  readonly told: (value: A) => { readonly answer: Answer; readonly next?: () => void }
  readonly abortAfter: number | null
}

export interface Clients {
  readonly world: World
  readonly ask: <A>(request: Request<A>, tries?: number) => void
}
