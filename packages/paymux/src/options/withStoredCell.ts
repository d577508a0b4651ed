/** The cell of a database, in the settings of a command. */
import { cellPath } from "@paymux/http"
import type { PaymuxSettings } from "./PaymuxOptions.ts"

/** A command beside a server does not get its flags: the database has the cell that the configuration does not name. */
export const withStoredCell = (settings: PaymuxSettings, stored: string | null): PaymuxSettings =>
  stored === null || settings.cell !== null
    ? settings
    : { ...settings, cell: stored, cellUrl: `${settings.publicUrl}${cellPath(stored)}` }
