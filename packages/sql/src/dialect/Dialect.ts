/** The differences between the SQL of SQLite and PostgreSQL, for statements that are written once. */
import type { ColumnKind } from "../rows/Column.ts"

/** The SQL type of a statement's parameter. A `text[]` is a list of texts. */
export type ParameterType = "text" | "bigint" | "boolean" | "text[]"

/** A parameter of an SQL statement, with its type. */
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
  /** Formats a value in the form that the expression returns. */
  readonly write: (value: string) => string
}

/** SQL expressions over the JSON of a payment, used alike in indexes and in statements. */
interface PaymentJson {
  readonly card_fingerprint: IndexedExpression
  readonly failure_code: IndexedExpression
  /** The SQL expression on which the index of a metadata key is built: on PostgreSQL, only the start of the value. */
  readonly metadataIndex: (key: string) => string
  /** The SQL expression for the value of a metadata key. */
  readonly metadata: (key: string) => string
  readonly phone: string
}

/**
 * The column lists for reading a payment `p` as one row: the whole payment, or the payment with only its attempts. See
 * `records.ts`.
 */
export interface RecordColumns {
  readonly whole: string
  readonly routed: string
}

/** The SQL expressions that count attempts, over the attempt `a` and its payment `p`. */
export interface AttemptExpressions {
  /** The FROM clause that reads attempts through the named index, each joined with these columns of its payment. */
  readonly withPayment: (index: string, columns: ReadonlyArray<string>) => string
  /**
   * The SQL expression for the counted parts of the payment method, as JSON text in which every character stays as it
   * was written.
   */
  readonly instrument: string
  readonly rule: string
  /** A JSON array of the metadata values under these keys. The keys are parameters. */
  readonly metadata: (keys: ReadonlyArray<string>) => string
  /** Converts a metadata key to the value of the parameter that `metadata` expects. */
  readonly metadataKey: (key: string) => string
}

export interface Dialect {
  /** The placeholder of the parameter with this number, from 1 on. */
  readonly placeholder: (number: number, type: ParameterType) => string
  /** Converts a parameter to the form that the driver accepts. */
  readonly encode: (value: unknown) => unknown
  /** Converts a field's value to the form in which a column of this kind stores it. */
  readonly written: (kind: ColumnKind, part: unknown) => Parameter
  /** Decodes stored text that the driver does not decode: text within JSON, and the JSON of a column of strings. */
  readonly decoded: (kind: ColumnKind, stored: string) => string
  /** Whether an expression equals an element of `list`, a parameter. */
  readonly isOneOf: (expression: string, list: string) => string
  /** Whether the value of a metadata key equals an element of `list`. Both are parameters. */
  readonly hasMetadata: (key: string, list: string) => string
  /** The conditions for one value of a metadata key that has an index. `bind` adds a parameter. */
  readonly isMetadata: (key: string, value: string, bind: (text: string) => string) => ReadonlyArray<string>
  /** Whether a text contains another text. */
  readonly contains: (text: string, part: string) => string
  /** The clause that names the index for a scan. Empty on PostgreSQL, which chooses the index. */
  readonly indexedBy: (index: string) => string
  /**
   * A numeric column, written so that the database chooses no index for it: rows from such an index would have to be
   * sorted.
   */
  readonly unindexed: (column: string) => string
  /**
   * Formats an expression for a condition that is only tested on scanned rows: on SQLite, so that no index is chosen
   * for it.
   */
  readonly tested: (expression: string) => string
  /** The clause that locks rows; empty on SQLite, which has one writer. */
  readonly lock: (clause: "FOR KEY SHARE" | "FOR SHARE" | "FOR UPDATE SKIP LOCKED") => string
  /**
   * The join of each payment `p` with those of its attempts `a` that meet the condition. It looks up the attempts of
   * one payment at a time.
   */
  readonly joinAttempts: (columns: string, condition: string) => string
  /**
   * Whether a create operation of another payment at the provider has the reference. On PostgreSQL no other transaction gives
   * that reference to an operation until the calling transaction ends: see `migrations/referenceIsTaken.ts`.
   */
  readonly isReferenceTaken: (provider: string, reference: string, payment: string) => string
  /** The condition that the first text of `together` returned a row. Every other text of `together` must contain it. */
  readonly afterFirst: string
  /** A branch of a `UNION ALL`: the query `select` with the `ORDER BY` and `LIMIT` clause `inTurn`. */
  readonly branch: (select: string, inTurn: string) => string
  /**
   * Runs the query of a branch once for each element of the parameter `list`, in one query plan. The branch refers to
   * the element as `given.value`. `null`: the database needs a separate branch for each element.
   */
  readonly forEach: ((list: string, branch: string) => string) | null
  readonly payment: PaymentJson
  readonly record: RecordColumns
  /** The FROM clause for the payments `p` whose ids the subquery `ids` returns. */
  readonly paymentsIn: (ids: string) => string
  readonly attempts: AttemptExpressions
}
