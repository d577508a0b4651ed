/**
 * A vendor's test double as the conformance suite drives it. `fakeProvider` makes one that speaks HTTP; a provider whose
 * vendor is something else (a chain, a book in the process) brings its own.
 */
import type { ProviderMode, ProviderOperation } from "@paymux/core"
import type { Effect, Scope } from "effect"
import type { Fault, FakeAnswer } from "./Fault.ts"
import type { LedgerBooking, LedgerBookingType, NewLedgerBooking } from "./bookings.ts"
import type { ScriptedOutcome, LedgerEvent, LedgerPayment } from "./Ledger.ts"

/** A vendor, and how to start it: each check gets one of its own, with an empty ledger. */
export interface Fake<V extends Vendor = Vendor> {
  readonly start: (options: StartOptions) => Effect.Effect<V, never, Scope.Scope>
  /** The vendor's published codes of a decline. */
  readonly declineCodes: ReadonlyArray<string>
  /**
   * Adapts the suite's sample to the vendor: a token it knows, a flag of its sandbox. `scripted` is what the payer will do,
   * for vendors that decide by values in the request.
   */
  readonly prepare?: (operation: ProviderOperation, scripted: ScriptedOutcome) => ProviderOperation
}

export interface StartOptions {
  /** Which credentials the vendor takes: those of the other mode are refused. */
  readonly mode: ProviderMode
}

export interface Vendor {
  readonly mode: ProviderMode
  readonly payments: Effect.Effect<ReadonlyArray<LedgerPayment>>
  /** What becomes of payments from now on. */
  readonly decide: (scripted: ScriptedOutcome) => Effect.Effect<void>
  /** Every payer who is awaited does what was decided. */
  readonly payersAct: Effect.Effect<void>
  /** The time of every payment that awaits its payer is over. Absent: the vendor never ends them. */
  readonly expire?: Effect.Effect<void>
  /** What can be made of it beside. Absent: nothing, or the fake does not say so. */
  readonly faultOverrides?: { readonly [override in FaultOverride]?: Effect.Effect<void> }
  /** `null`: there is no connection that could break. */
  readonly network: VendorNetwork<this> | null
  /** `null`: it sends none. */
  readonly webhooks: VendorWebhooks | null
  /** Absent: it has no statement, or the fake does not show one. */
  readonly statement?: VendorStatement
}

/** What a vendor's statement contains: what every adapter that reads it can know. */
export interface StatementContent {
  /** What it lists. Bookings of other types are missing in it. */
  readonly types: ReadonlyArray<LedgerBookingType>
  /** Whether it shows the fee and the net amount of a booking. */
  readonly hasFees: boolean
  /** Of which bookings it repeats our id `op_…`. Of others, it has only the vendor's references. */
  readonly echoes: ReadonlyArray<"charge" | "refund">
  /** The most bookings that it returns at once. */
  readonly pageSize: number
  /** How it names the currencies of amounts. Absent: by their ISO 4217 codes, in any case. */
  readonly currencyNames?: ReadonlyArray<string>
}

export interface VendorStatement extends StatementContent {
  /** As the vendor's own books have them, oldest first. */
  readonly bookings: Effect.Effect<ReadonlyArray<LedgerBooking>>
  /** Books something that was not requested here. `null`: the fake cannot. */
  readonly book: ((booking: NewLedgerBooking) => Effect.Effect<void>) | null
}

/**
 * What not every vendor does or can tell, from now on.
 *
 * - `refund_pending`: refunds are taken on, and done or failed when the payers act
 * - `refund_failed`: refunds fail, now or, the pending ones, when the payers act
 * - `other_amount`: it takes another amount than it was asked for, and says so
 * - `new_status`: it calls the status of payments by a word that it has added since
 */
export type FaultOverride = "refund_pending" | "refund_failed" | "other_amount" | "new_status"

export interface VendorNetwork<V> {
  /** Requests in the order they arrived. */
  readonly requests: Effect.Effect<ReadonlyArray<SeenRequest>>
  /** The next request, or the one after `after` more, goes wrong like this. */
  readonly failNext: (fault: Fault, after?: number) => Effect.Effect<PlannedFault>
  /** From now on it does what it is asked and never answers. */
  readonly fallSilent: Effect.Effect<void>
  /** After `count` more requests the vendor is gone: connections are refused, for ever. */
  readonly leaveAfter: (count: number) => Effect.Effect<void>
  /** The same vendor at a closed port. */
  readonly refusing: Effect.Effect<V, never, Scope.Scope>
  /** The same vendor behind TLS with a certificate of an unknown issuer. */
  readonly untrusted: Effect.Effect<V, never, Scope.Scope>
  /** The same vendor, spoken to with the credentials of the other mode. */
  readonly withOtherCredentials: V
  /** What a client must not let out: keys and secrets of both modes. */
  readonly secrets: ReadonlyArray<string>
  /** How the vendor says "too many requests, wait `seconds`". */
  readonly rateLimited: (seconds: number | null) => FakeAnswer
  /** How the vendor answers a request by this code, where it documents codes after which nothing was executed. */
  readonly proof?: (code: string) => FakeAnswer
}

/** A fault that waits for its request. */
export interface PlannedFault {
  /** Whether it has happened. Where it has not, it never will. */
  readonly withdraw: Effect.Effect<boolean>
}

export interface SeenRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Lower-case names. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string
  /** Of the answer; `null`: there was none, or what is no answer. */
  readonly status: number | null
  /** The answer's whole body. */
  readonly answer: string
  /** For people: what was answered. */
  readonly answered: string
  /** Ends when its connection is closed. */
  readonly closed: Effect.Effect<void>
}

export interface VendorWebhooks {
  /** Everything that can be reported, oldest first. */
  readonly events: Effect.Effect<ReadonlyArray<LedgerEvent>>
  /** These events in one signed body. */
  readonly deliver: (events: ReadonlyArray<LedgerEvent>, signing?: Signing) => Effect.Effect<Delivery>
  /** The signature covers the time: a delivery that was signed long ago is refused. */
  readonly signsTime: boolean
  /** One body may hold several events. */
  readonly batches: boolean
  /**
   * A signature in the headers that covers some of an event's fields, and not the bytes of the body; `false` by default.
   * One that is in the body never covers the bytes.
   */
  readonly signsFields?: boolean
  /** An event of a type that the vendor has added since, where the fake can make one. */
  readonly deliverNewType?: (signing?: Signing) => Effect.Effect<Delivery>
}

export interface Signing {
  /** ms UTC; now by default. */
  readonly at?: number
  /** Whose secret: that of the vendor's mode by default. */
  readonly mode?: ProviderMode
}

/** A webhook as it is posted. Header names in lower case. */
export interface Delivery {
  readonly body: Uint8Array
  readonly headers: { readonly [name: string]: string }
}
