/** Where the SQL of the two databases differs, for statements that are written once. */
import type { ColumnKind } from "../rows/Column.ts"

/** The type of a parameter. A `text[]` is a list of texts. */
export type ParameterType = "text" | "bigint" | "boolean" | "text[]"

/** A value and its type. */
export interface Parameter {
  readonly value: unknown
  readonly type: ParameterType
}

/** An expression over payments that has an index. */
interface IndexedExpression {
  readonly index: string
  readonly sql: string
  /** The condition of the index: a query names it to use the index. */
  readonly where: string
  /** Formats a value as the expression returns it. */
  readonly write: (value: string) => string
}

/** JSON of a payment in expressions that both the indexes and the statements use. */
interface PaymentJson {
  readonly card_fingerprint: IndexedExpression
  readonly failure_code: IndexedExpression
  /** The expression that the index of a metadata key holds. */
  readonly metadataIndex: (key: string) => string
  /** The value of a key of metadata. */
  readonly metadata: (key: string) => string
  readonly phone: string
}

/** The columns of a row over the payment `p`: of a whole payment, and of one with its attempts alone. See `records.ts`. */
export interface RecordColumns {
  readonly whole: string
  readonly routed: string
}

/** SQL expressions for counted attempts, over the attempt `a` and its payment `p`. */
export interface AttemptExpressions {
  /** Reads attempts by this index, each with these columns of its payment. */
  readonly withPayment: (index: string, columns: ReadonlyArray<string>) => string
  /** The parts of the payment method as JSON text: every character in the JSON text stays as it was written. */
  readonly instrument: string
  readonly rule: string
  /** A JSON array of the metadata values under these keys. The keys are parameters. */
  readonly metadata: (keys: ReadonlyArray<string>) => string
  /** A metadata key as the value of a parameter. */
  readonly metadataKey: (key: string) => string
}

export interface Dialect {
  /** The placeholder of the parameter with this number, from 1 on. */
  readonly placeholder: (number: number, type: ParameterType) => string
  /** Converts a parameter to the form that the driver accepts. */
  readonly encode: (value: unknown) => unknown
  /** A part of a value, as a column of this kind stores it. */
  readonly written: (kind: ColumnKind, part: unknown) => Parameter
  /** Decodes stored text that the driver does not decode: text within JSON, and the JSON of a column of strings. */
  readonly decoded: (kind: ColumnKind, stored: string) => string
  /** Whether an expression equals an element of `list`, a parameter. */
  readonly isOneOf: (expression: string, list: string) => string
  /** Whether the value of a key of metadata equals an element of `list`. Both are parameters. */
  readonly hasMetadata: (key: string, list: string) => string
  /** The conditions for one value of an indexed key of metadata. `bind` adds a parameter. */
  readonly isMetadata: (key: string, value: string, bind: (text: string) => string) => ReadonlyArray<string>
  /** Whether a text contains another one. */
  readonly contains: (text: string, part: string) => string
  /** The clause that names the index for a walk of a table. Empty on PostgreSQL, which chooses the index. */
  readonly indexedBy: (index: string) => string
  /** A numeric column, written so that no index is chosen by it: the rows from such an index would have to be sorted. */
  readonly unindexed: (column: string) => string
  /** An expression that is tested on the rows of a walk. On SQLite it chooses no index. */
  readonly tested: (expression: string) => string
  /** A clause that locks rows. SQLite has one writer. */
  readonly lock: (clause: "FOR KEY SHARE" | "FOR SHARE" | "FOR UPDATE SKIP LOCKED") => string
  /** Joins the attempts `a` of each payment `p` that meet the condition, payment by payment. */
  readonly joinAttempts: (columns: string, condition: string) => string
  /**
   * Whether a create operation of another payment at the provider has the reference. On PostgreSQL no other transaction gives
   * that reference to an operation until the calling transaction ends: see `migrations/referenceIsTaken.ts`.
   */
  readonly isReferenceTaken: (provider: string, reference: string, payment: string) => string
  /** The condition that the other texts of `together` contain: the first text has returned a row. */
  readonly afterFirst: string
  /** A branch of a union that is ordered and limited by `inTurn`. */
  readonly branch: (select: string, inTurn: string) => string
  /**
   * Runs a branch for each element of the parameter `list`, as `given.value`, in one plan. `null`: each element needs a branch of
   * its own.
   */
  readonly forEach: ((list: string, branch: string) => string) | null
  readonly payment: PaymentJson
  readonly record: RecordColumns
  /** The payments `p` whose ids the query selects. */
  readonly paymentsIn: (ids: string) => string
  readonly attempts: AttemptExpressions
}
