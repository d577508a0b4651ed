/**
 * Several commits in one statement: one round trip, one transaction and one flush of the disk for all of them.
 *
 * PostgreSQL does the parts of a statement together, so the commits are made together or not at all. They are on
 * different payments and keys, and none of them reads what another writes.
 */
import type { Row } from "../ReadRow.ts"
import type { PgStatement } from "./Fragments.ts"

/** The statement of one commit. It answers one row: `done`, and `kept` where there is something to tell. */
export interface CommitStatement extends PgStatement {
  /** `WITH` these. */
  readonly parts: string
  /** The expressions that `done` and `kept` stand for. */
  readonly answer: { readonly done: string; readonly kept: string }
}

/** Names a part of a commit so that nothing else in its text looks like it. */
export const part = (name: string): string => `c0_${name}`

export const commitStatement = (
  parts: ReadonlyArray<string>,
  answer: CommitStatement["answer"],
  params: ReadonlyArray<unknown>
): CommitStatement => {
  const all = parts.join(", ")
  return { sql: `WITH ${all} SELECT ${answer.done} AS done, ${answer.kept} AS kept`, parts: all, answer, params }
}

/** The text for `size` commits whose texts are all that of `one`: the parameters follow each other. */
export const joinedText = ({ answer, params, parts }: CommitStatement, size: number): string => {
  const members = Array.from({ length: size }, (_, member) => member)
  const of = (member: number, text: string): string =>
    text
      .replaceAll(partNames, `c${member}_`)
      .replaceAll(placeholders, (_, position: string) => `$${Number(position) + member * params.length}`)
  const answers = members.map(
    (member) => `${of(member, answer.done)} AS done_${member}, ${of(member, answer.kept)} AS kept_${member}`
  )
  return `WITH ${members.map((member) => of(member, parts)).join(", ")} SELECT ${answers.join(", ")}`
}

/** The row that a commit would have had of its own statement. */
export const rowOf = (joined: Row, member: number): Row => ({
  done: joined[`done_${member}`],
  kept: joined[`kept_${member}`]
})

const partNames = /\bc0_/g
const placeholders = /\$(\d+)/g
