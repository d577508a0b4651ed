import { Download } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { openFile } from "../../../lists/fileSink.ts"
import type { FileSink } from "../../../lists/fileSink.ts"
import { useTenant } from "../../../session/session.ts"
import { Button } from "../../../ui/Button.tsx"
import { Actions, Dialog } from "../../../ui/Dialog.tsx"
import { countText } from "../../../ui/numbers.ts"
import { ProblemNote } from "../../../ui/Problem.tsx"
import { toast } from "../../../ui/Toast.tsx"
import { exportPage, exportStart } from "./exportPayments.ts"
import type { ExportPlace } from "./exportPayments.ts"
import type { PaymentQuery } from "./paymentFilters.ts"

const fileName = (account: string, mode: string): string =>
  `payments-${account.replaceAll(/[^\w-]/g, "_")}-${mode}-${new Date().toISOString().slice(0, 10)}.csv`

export const ExportButton = ({ query }: { readonly query: PaymentQuery }) => {
  const tenant = useTenant()
  const [sink, setSink] = useState<FileSink | null>(null)
  const start = () =>
    void openFile(fileName(tenant.account, tenant.mode)).then(setSink, () => toast("The file could not be opened."))
  return (
    <>
      <Button onClick={start}>
        <Download size={14} aria-hidden />
        Export
      </Button>
      {sink !== null && <ExportDialog sink={sink} query={query} onClose={() => setSink(null)} />}
    </>
  )
}

interface ExportDialogProps {
  readonly sink: FileSink
  readonly query: PaymentQuery
  readonly onClose: () => void
}

const ExportDialog = ({ onClose, query, sink }: ExportDialogProps) => {
  const { cancel, error, goOn, place } = useExport(sink, query, onClose)
  return (
    <Dialog
      open
      onClose={cancel}
      title="Exporting payments"
      description="Pages are read one after another. Keep this page open."
    >
      <p role="status" className="numbers text-sm">
        {countText(place.written)} {place.written === 1 ? "payment" : "payments"} written
      </p>
      {error === null ? (
        <div role="progressbar" aria-label="Exporting" className="h-1 overflow-hidden rounded bg-line">
          <div className="h-full w-1/3 animate-pulse rounded bg-accent" />
        </div>
      ) : (
        <ProblemNote error={error} onRetry={goOn} />
      )}
      <Actions>
        <Button onClick={cancel}>Cancel</Button>
      </Actions>
    </Dialog>
  )
}

const useExport = (sink: FileSink, query: PaymentQuery, onClose: () => void) => {
  const path = useTenant()
  // Those of the click: the dialog is modal.
  const [asked] = useState({ sink, path, query })
  const [place, setPlace] = useState<ExportPlace>(exportStart)
  const [error, setError] = useState<unknown>(null)
  const [runs, setRuns] = useState(1)
  // A run that continues begins where the one before ended.
  const reached = useRef<ExportPlace>(exportStart)
  const finish = useRef(onClose)
  useEffect(() => {
    finish.current = onClose
  })
  useEffect(() => {
    const controller = new AbortController()
    const run = async () => {
      while (reached.current.after !== null) {
        reached.current = await exportPage(asked.sink, asked, reached.current, controller.signal)
        setPlace(reached.current)
      }
      await asked.sink.close()
      toast(`Exported ${countText(reached.current.written)} payments`)
      finish.current()
    }
    run().catch((failure: unknown) => {
      if (!controller.signal.aborted) setError(failure)
    })
    return () => controller.abort()
  }, [asked, runs])
  return {
    place,
    error,
    goOn: () => {
      setError(null)
      setRuns(runs + 1)
    },
    cancel: () => {
      void sink.abort()
      onClose()
    }
  }
}
