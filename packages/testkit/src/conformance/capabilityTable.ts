/** What an adapter declares, and how it was tried, as the Markdown of its README. Pure. */
import { rails } from "@paymux/core"
import type { Capabilities, MethodCapability, OperationCapability } from "@paymux/core"
import { operationKinds } from "@paymux/core/store"
import type { StatementCapability } from "@paymux/core/statement"
import { Duration } from "effect"

/** A check that was not tried, and why. */
interface NotTried {
  readonly id: string
  readonly reason: string
}

export interface Tried {
  readonly skipped: ReadonlyArray<NotTried>
  /** Checks that do not apply. */
  readonly exempt: ReadonlyArray<NotTried>
}

export const capabilityTable = (capabilities: Capabilities, tried: Tried): string =>
  [
    table(["method", "flow", "currencies", "amount", "capture", "cancelable", "needs"], methodRows(capabilities)),
    table(
      [
        "operation",
        "repeat with the same key",
        "inquiry",
        "“not found” is final",
        "partial",
        "reported amounts",
        "proof of “not executed”"
      ],
      operationKinds.flatMap((kind) => {
        const declared = capabilities.operations[kind]
        return declared === undefined ? [] : [operationRow(kind, declared)]
      })
    ),
    createWords(capabilities),
    conformance(tried)
  ].join("\n\n")

const methodRows = ({ methods, operations }: Capabilities): ReadonlyArray<ReadonlyArray<string>> =>
  rails.flatMap((rail) => {
    const method = methods[rail]
    if (method === undefined) return []
    return Object.entries(method.flows).map(([flow, needs]) => [
      [rail, ...details(method)].join(": "),
      flow,
      method.currencies === "any" ? "any" : method.currencies.join(", "),
      limits(method),
      (needs?.captureMethods ?? method.captureMethods ?? ["automatic"]).join(", "),
      operations.cancel === undefined || needs?.cancelable === false ? "no" : "yes",
      [
        ...(needs?.requires?.map((fact) => `\`${fact}\``) ?? []),
        ...(method.phoneCodes === undefined ? [] : [`a phone number with ${method.phoneCodes.join(" or ")}`])
      ].join(", ")
    ])
  })

const details = ({ assets, networks }: MethodCapability): ReadonlyArray<string> => [
  ...(networks === undefined ? [] : [networks.join(", ")]),
  ...(assets === undefined ? [] : [assets.map(({ asset, network }) => `${asset} on ${network}`).join(", ")])
]

/** Currencies with the same limits stand together: `from 0.50 (EUR, USD); from 50 (JPY)`. */
const limits = ({ amounts = [] }: MethodCapability): string =>
  amounts.length === 0
    ? "any"
    : [...Map.groupBy(amounts, rangeText)]
        .map(([range, some]) => `${range} (${some.map(({ currency }) => currency).join(", ")})`)
        .join("; ")

const rangeText = ({ max, min }: NonNullable<MethodCapability["amounts"]>[number]): string => {
  if (min === undefined) return `up to ${max}`
  return max === undefined ? `from ${min}` : `${min} to ${max}`
}

const operationRow = (
  kind: string,
  { idempotency, inquiry, partial, proof = [], rateLimitIsNotExecuted, reports }: OperationCapability
): ReadonlyArray<string> => [
  kind,
  idempotencyWords(idempotency),
  inquiry === undefined || inquiry.by === "none"
    ? "never"
    : `by ${inquiryNames[inquiry.by]}${inquiry.costly === true ? ", rarely" : ""}`,
  inquiry?.notFoundIsFinalAfter === undefined ? "never" : `after ${time(inquiry.notFoundIsFinalAfter)}`,
  kind === "create" || kind === "cancel" ? "" : partial === true ? "yes" : "no",
  kind === "create" || kind === "cancel" ? "" : reportsWords[reports ?? "movement"],
  [...proof.map((code) => `\`${code}\``), ...(rateLimitIsNotExecuted === true ? ["429"] : [])].join(", ")
]

const reportsWords = { movement: "of each alone", total: "of the charge in total" }

const idempotencyWords = (idempotency: OperationCapability["idempotency"]): string => {
  switch (idempotency?.by) {
    case "header":
    case "body": {
      const lifetime = idempotency.lifetime === undefined ? "" : `, for ${time(idempotency.lifetime)}`
      return `returns the first result${lifetime} (${idempotency.by})`
    }
    case "reference":
      return "is rejected as a duplicate"
    case "lookup":
      return "looked up first"
    case "none":
    case undefined:
      return "not sent"
  }
}

const inquiryNames = { reference: "our reference", providerReference: "its own id", replay: "a replay" } as const

const createWords = ({ operations: { create }, statement }: Capabilities): string => {
  const decline = create.declineIsFinal === true ? "A decline is final." : "A declined payment may still be captured."
  const abandoned =
    create.abandonedAfter === undefined ? "" : ` An abandoned payment fails after ${time(create.abandonedAfter)}.`
  const canceled = create.cancelIsFinal === true ? " A cancel is final." : ""
  const further = create.chargesByReference === true ? " Further charges of a payment are refunded." : ""
  const booked = statement === undefined ? "" : statementWords(statement)
  return decline + canceled + abandoned + further + booked
}

const statementWords = ({ bookedWithin, paymentsInParts = false }: StatementCapability): string => {
  const booked = ` Its statement has each booking after ${time(bookedWithin)}.`
  return paymentsInParts ? `${booked} A payment may be booked in several movements.` : booked
}

const conformance = ({ exempt, skipped }: Tried): string => {
  const all = "Its tests run every check of the conformance suite"
  if (skipped.length + exempt.length === 0) return `${all}.`
  return [
    `${all}, except:`,
    ...byReason(skipped).map(([reason, ids]) => `- ${ids}, skipped: ${reason}`),
    ...byReason(exempt).map(([reason, ids]) => `- ${ids}: ${reason}`)
  ].join("\n")
}

const byReason = (checks: ReadonlyArray<NotTried>): ReadonlyArray<readonly [string, string]> =>
  [...Map.groupBy(checks, ({ reason }) => reason)].map(
    ([reason, some]) => [reason, some.map(({ id }) => `\`${id}\``).join(", ")] as const
  )

const time = (duration: Duration.Input): string => Duration.format(Duration.fromInputUnsafe(duration))

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
