/**
 * The audit log as a member sees it who may not see the team: what was done, when and by which id, without email addresses and
 * without the addresses that people came from.
 */
import type { Role } from "./Actor.ts"
import type { AuditEntry, AuditFields } from "./AuditLog.ts"

/** As for the page of the team. */
export const seesContacts = (role: Role | null): boolean => role === "owner"

export const withoutContacts = (entry: AuditEntry): AuditEntry => ({
  ...entry,
  actor: {
    ...entry.actor,
    ...withoutEmail(entry.actor),
    address: null
  },
  target: entry.target !== null && isEmail(entry.target) ? null : entry.target,
  before: fieldsWithout(entry.before),
  after: fieldsWithout(entry.after)
})

export const withoutEmail = ({ id, name }: { readonly id: string; readonly name: string | null }) => ({
  id: isEmail(id) ? hidden : id,
  name: name !== null && isEmail(name) ? null : name
})

/** Also of a filter: whether it finds an entry must not say that there is such a person. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text)

const hidden = "hidden"

type Value = AuditFields[string]

const fieldsWithout = (fields: AuditFields | null): AuditFields | null =>
  fields === null
    ? null
    : Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, valueWithout(value)]))

const valueWithout = (value: Value): Value => {
  if (typeof value === "string") return isEmail(value) ? hidden : value
  // `Array.isArray` does not narrow a read-only array.
  return typeof value === "object" && value !== null ? value.map((each) => (isEmail(each) ? hidden : each)) : value
}
