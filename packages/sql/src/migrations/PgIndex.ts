/** An index that PostgreSQL builds while other sessions write. */
export interface PgIndex {
  readonly name: string
  /** The text after `CREATE INDEX`. */
  readonly definition: string
}
