import { Dialog } from "../ui/Dialog.tsx"
import { pageGroups } from "./pages.ts"

const keys: ReadonlyArray<readonly [keys: string, action: string]> = [
  ["/", "Search payments"],
  ["j / k", "Next and previous row"],
  ["Enter", "Open the row"],
  ["?", "This help"]
]

export const Help = ({ onClose, open }: { readonly open: boolean; readonly onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
    <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1.5 text-sm">
      {[...keys, ...pageGroups.flatMap(({ pages }) => pages.map(({ key, title }) => [`g ${key}`, title] as const))].map(
        ([pressed, action]) => (
          <div key={pressed} className="contents">
            <dt>
              <kbd className="rounded border border-line bg-side px-1.5 py-0.5 font-mono text-xs">{pressed}</kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        )
      )}
    </dl>
  </Dialog>
)
