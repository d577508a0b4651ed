/** What the writers write, and what the reader is given. */
import { eventId } from "../suites/src/paymentStore/records.ts"

export interface WriterPlan {
  readonly database: string
  /** The numbers of the payments of each writer. */
  readonly writers: ReadonlyArray<ReadonlyArray<number>>
}

export interface ReaderPlan {
  readonly apiKey: string
  readonly baseUrl: string
  /** One line for each event. */
  readonly file: string
  /** Whether the reader ends after the events that there are, instead of waiting for others. */
  readonly isLast: boolean
}

export const eventsOfPayment = 10

export const eventOf = (payment: number, sequence: number) => eventId(payment * 100 + sequence)

/** `processes` plans of `writers` each, which write as many events together. */
export const writerPlans = (
  database: string,
  processes: number,
  writers: number,
  events: number
): ReadonlyArray<WriterPlan> => {
  const payments = events / eventsOfPayment / processes / writers
  return Array.from({ length: processes }, (_, process) => ({
    database,
    writers: Array.from({ length: writers }, (_, writer) =>
      Array.from({ length: payments }, (_, payment) => (process * writers + writer) * payments + payment + 1)
    )
  }))
}
