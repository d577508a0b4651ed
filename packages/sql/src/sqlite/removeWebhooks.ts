import type { RemoveWebhooks } from "../store/keptWebhooks.ts"
import { flag, numeral, text } from "../rows/ReadRow.ts"
import { rowsOf } from "./statementRunner.ts"
import type { SqliteAccess } from "./statementRunner.ts"

/** Removes kept webhooks on SQLite, and subtracts each from the totals of its instance. */
export const removeWebhooks =
  ({ write }: Pick<SqliteAccess, "write">): RemoveWebhooks =>
  (condition) =>
    write((database) => {
      const removed = rowsOf(
        database,
        (statement) => `DELETE FROM kept_webhooks WHERE ${condition(statement)} RETURNING provider, livemode, bytes`
      )
      for (const row of removed) {
        const livemode = flag(row, "livemode") ? 1 : 0
        database.prepare(subtract).run(numeral(row, "bytes"), text(row, "provider"), livemode)
      }
      return removed.length
    })

const subtract = `UPDATE kept_webhook_totals SET requests = requests - 1, bytes = bytes - ?
  WHERE provider = ? AND livemode = ?`
