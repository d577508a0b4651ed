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
  /** A value as the expression returns it. */
  readonly write: (value: string) => string
}

/** JSON of a payment in expressions that both the indexes and the statements use. */
interface PaymentJson {
  readonly card_fingerprint: IndexedExpression
  readonly failure_code: IndexedExpression
  /** The expression that the index of a key holds. */
  readonly metadataIndex: (key: string) => string
  /** The value of a key of metadata. */
  readonly metadata: (key: string) => string
  readonly phone: string
}

/** Parts of counted attempts: of the attempt `a` and its payment `p`. */
export interface AttemptExpressions {
  /** Attempts by this index, each with these columns of its payment. */
  readonly withPayment: (index: string, columns: ReadonlyArray<string>) => string
  /** The parts of the method as JSON text: every character in it stays as it was written. */
  readonly instrument: string
  readonly rule: string
  /** A JSON array of the values under these keys, which are parameters. */
  readonly metadata: (keys: ReadonlyArray<string>) => string
  /** A key of metadata as a parameter. */
  readonly metadataKey: (key: string) => string
}

export interface Dialect {
  /** The placeholder of the parameter with this number, from 1 on. */
  readonly placeholder: (number: number, type: ParameterType) => string
  /** A parameter as the driver takes it. */
  readonly encode: (value: unknown) => unknown
  /** A part of a value, as a column of this kind stores it. */
  readonly written: (kind: ColumnKind, part: unknown) => Parameter
  /** Whether an expression equals an element of `list`, a parameter. */
  readonly isOneOf: (expression: string, list: string) => string
  /** Whether the value of a key of metadata equals an element of `list`. Both are parameters. */
  readonly hasMetadata: (key: string, list: string) => string
  /** The conditions for one value of an indexed key of metadata. `bind` adds a parameter. */
  readonly isMetadata: (key: string, value: string, bind: (text: string) => string) => ReadonlyArray<string>
  /** Whether a text contains another one. */
  readonly contains: (text: string, part: string) => string
  /** The name of the index that a walk of a table takes. PostgreSQL chooses it. */
  readonly indexedBy: (index: string) => string
  /** A number by which no index is chosen: the rows that it selects would have to be sorted. */
  readonly unindexed: (column: string) => string
  /** An expression that is tested on the rows of a walk. On SQLite it chooses no index. */
  readonly tested: (expression: string) => string
  /** A clause that locks rows. SQLite has one writer. */
  readonly lock: (clause: "FOR KEY SHARE" | "FOR SHARE" | "FOR UPDATE SKIP LOCKED") => string
  /** Joins the attempts `a` of each payment `p` that meet the condition, payment by payment. */
  readonly joinAttempts: (columns: string, condition: string) => string
  /**
   * Whether a create operation of another payment at the provider has the reference. On PostgreSQL no other transaction gives
   * it to an operation until this one ends: see `migrations/referenceIsTaken.ts`.
   */
  readonly isReferenceTaken: (provider: string, reference: string, payment: string) => string
  /** The condition of the other texts of `together`: the first one has returned a row. */
  readonly afterFirst: string
  /** A branch of a union that is ordered and limited by `inTurn`. */
  readonly branch: (select: string, inTurn: string) => string
  /** Runs a branch for each element of `list`, a parameter, as `given.value`, in one plan. `null`: each is a branch. */
  readonly forEach: ((list: string, branch: string) => string) | null
  readonly payment: PaymentJson
  readonly attempts: AttemptExpressions
}
