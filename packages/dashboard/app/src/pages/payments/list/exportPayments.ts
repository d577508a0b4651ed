/** Writes all payments of a query to a file: a page is read, written and forgotten, then the next one is read. */
import { call } from "../../../api/client.ts"
import type { FileSink } from "../../../lists/fileSink.ts"
import type { Tenant } from "../../../session/session.ts"
import { csvHead, csvLines } from "./paymentCsv.ts"
import type { PaymentQuery } from "./paymentFilters.ts"

/** Where an export stands. It continues from here after a lost connection. */
export interface ExportPlace {
  readonly written: number
  /** `undefined`: nothing is written yet. `null`: all is. */
  readonly after: string | null | undefined
}

export const exportStart: ExportPlace = { written: 0, after: undefined }

/** Writes one page. */
export const exportPage = async (
  sink: FileSink,
  { path, query }: { readonly path: Tenant; readonly query: PaymentQuery },
  { after, written }: ExportPlace,
  signal: AbortSignal
): Promise<ExportPlace> => {
  const place = typeof after === "string" ? { after } : {}
  const { data } = await call.GET("/dashboard/api/{account}/{mode}/payments", {
    params: { path, query: { ...query, ...place, limit: "100" } },
    signal
  })
  if (data === undefined) throw new Error("The list of payments has no body.")
  // No part of a page that was canceled: a file has whole pages.
  signal.throwIfAborted()
  await sink.write(`${after === undefined ? csvHead : ""}${csvLines(data.data)}`)
  return { written: written + data.data.length, after: data.next }
}
