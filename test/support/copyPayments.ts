/** Many payments in a database file of SQLite, in no time: rows of one payment without its attempts. */
import { DatabaseSync } from "node:sqlite"

/** So many copies of a payment, of its millisecond. A list that shows them shows them whole, but for their attempts. */
export const copyPayments = (file: string, id: string, count: number): void => {
  const db = new DatabaseSync(file)
  const names = db
    .prepare("SELECT name FROM pragma_table_info('payments') WHERE name <> 'id'")
    .all()
    .map(({ name }) => String(name))
  db.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
    INSERT INTO payments (id, ${names.join(", ")})
    SELECT '${id.slice(0, 22)}' || (10000000 + n), ${names.join(", ")} FROM payments, numbers WHERE id = '${id}'`)
  db.close()
}

/** Creates payments until one is of a later millisecond than `earlier`: ids of the same one are in any order. */
export const createLater = async (earlier: string, create: () => Promise<{ readonly id: string }>): Promise<string> => {
  const { id } = await create()
  return id.slice(0, 14) === earlier.slice(0, 14) ? createLater(earlier, create) : id
}
