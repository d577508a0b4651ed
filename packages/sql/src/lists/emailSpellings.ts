/**
 * Finds the spellings in which a tenant's payments store an e-mail address, such as with capital letters. The SQL is
 * the same on both databases.
 */
import { normalEmail } from "@paymux/core/store"
import { hasCapitals, lowerEmail } from "../migrations/emails.ts"

/**
 * The distinct spellings in an index after the text `after`. The query jumps from one spelling to the next: each costs one
 * look-up, however many payments have it. `payments` is the table, `own` the condition on the tenant, `where` the condition of
 * the index. Each row has a `spelling`.
 */
export const distinctSpellings = (payments: string, own: string, where: string, after = "''"): string => {
  const next = (before: string): string =>
    `(SELECT customer_email FROM ${payments} WHERE ${own} AND ${where} AND customer_email > ${before}
      ORDER BY customer_email LIMIT 1)`
  return `WITH RECURSIVE spellings (spelling) AS (
      SELECT ${next(after)} UNION ALL
      SELECT ${next("spellings.spelling")} FROM spellings WHERE spellings.spelling IS NOT NULL
    ) SELECT spelling FROM spellings WHERE spelling IS NOT NULL`
}

/** The stored spellings with capital letters of one address; `email` is the address in small letters. */
export const spellingsWithCapitals = (payments: string, own: string, email: string): string =>
  distinctSpellings(payments, own, `${hasCapitals} AND ${lowerEmail} = ${email}`)

/** The normal forms of the addresses, and the spellings that earlier code has stored for them. */
export const spellingsOf = (emails: ReadonlyArray<string>, stored: ReadonlyArray<string>): ReadonlyArray<string> => {
  const normal = new Set(emails.map(normalEmail))
  return [...new Set([...normal, ...stored.filter((spelling) => normal.has(normalEmail(spelling)))])]
}
