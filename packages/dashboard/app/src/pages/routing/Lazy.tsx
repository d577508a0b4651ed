/** What needs CodeMirror, in a chunk of its own. */
import { lazy, Suspense } from "react"
import { Skeleton } from "../../ui/Layout.tsx"
import type { DiffLinesProps } from "./editor/DiffLines.tsx"
import type { RulesEditorProps } from "./editor/RulesEditor.tsx"

const Editor = lazy(async () => ({ default: (await import("./editor/RulesEditor.tsx")).RulesEditor }))
const Lines = lazy(async () => ({ default: (await import("./editor/DiffLines.tsx")).DiffLines }))

export const RulesEditor = (props: RulesEditorProps) => (
  <Suspense
    fallback={
      <div role="status" aria-label="Loading the editor">
        <Skeleton className="h-[min(60vh,40rem)] w-full" />
      </div>
    }
  >
    <Editor {...props} />
  </Suspense>
)

export const TextDiff = (props: DiffLinesProps) => (
  <Suspense fallback={<Skeleton className="h-40 w-full" />}>
    <Lines {...props} />
  </Suspense>
)
