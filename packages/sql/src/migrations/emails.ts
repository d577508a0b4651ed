/**
 * Indexes to find payments by an e-mail address in another spelling. The column has the normal form (see
 * `normalEmail`), but earlier code stored the spelling of the request. One index finds spellings with capital letters
 * by their lowercase form. The other contains the few addresses with characters beyond ASCII, which are compared one by
 * one. No other payment is in these indexes.
 */
import { addIndexes } from "./addIndexes.ts"

/** The address in small letters. In the collation "C", and in SQLite, `lower` changes only ASCII letters. */
export const lowerEmail = "lower(customer_email)"

/** The conditions of the indexes: a query names them to use the indexes. */
export const hasCapitals = `customer_email <> ${lowerEmail}`
export const sqliteBeyondAscii = "length(CAST(customer_email AS BLOB)) <> length(customer_email)"
export const pgBeyondAscii = "octet_length(customer_email) <> char_length(customer_email)"

const withCapitals = `payments_by_email_with_capitals
  ON payments (account, livemode, (${lowerEmail}), customer_email) WHERE ${hasCapitals}`

const beyondAscii = (condition: string): string =>
  `payments_by_email_beyond_ascii ON payments (account, livemode, customer_email) WHERE ${condition}`

export const emails = addIndexes(
  { id: 23, name: "payments by other spellings of an e-mail address" },
  [withCapitals, beyondAscii(sqliteBeyondAscii)],
  [withCapitals, beyondAscii(pgBeyondAscii)]
)
