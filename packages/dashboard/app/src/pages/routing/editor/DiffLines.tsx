/** The differences of two texts, with the lines around them. */
import { useMemo } from "react"
import { diffOf } from "./lines.ts"
import type { DiffLine } from "./lines.ts"

export interface DiffLinesProps {
  readonly before: string
  readonly after: string
  /** Such as `Changes from version 6 to version 7`. */
  readonly label: string
}

/** Beyond this a browser shows nothing that anyone reads. */
const most = 2_000

const looks = {
  same: { sign: " ", className: "", word: "" },
  removed: { sign: "−", className: "bg-bad-soft text-bad", word: "Removed: " },
  added: { sign: "+", className: "bg-good-soft text-good", word: "Added: " }
} as const

export const DiffLines = ({ after, before, label }: DiffLinesProps) => {
  const parts = useMemo(() => diffOf(before, after), [before, after])
  if (parts.length === 0) return <p className="text-sm text-muted">The texts are the same.</p>
  const lines = parts.flatMap((part, index): ReadonlyArray<DiffLine | null> => (index === 0 ? part : [null, ...part]))
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-lg border border-line bg-raised py-1.5 font-mono text-xs"
    >
      <ol className="w-max min-w-full">
        {lines.slice(0, most).map((line, index) => (
          <li key={index}>{line === null ? <Gap /> : <Line {...line} />}</li>
        ))}
      </ol>
      {lines.length > most && <p className="px-3 py-2 font-sans text-muted">{lines.length - most} more lines</p>}
    </div>
  )
}

const Gap = () => <span className="block px-3 text-muted select-none">⋯</span>

const Line = ({ kind, line, text }: DiffLine) => {
  const { className, sign, word } = looks[kind]
  return (
    <span className={`flex whitespace-pre ${className}`}>
      <span aria-hidden className="w-12 shrink-0 pr-3 text-right text-muted select-none">
        {line}
      </span>
      <span aria-hidden className="w-4 shrink-0 select-none">
        {sign}
      </span>
      {word !== "" && <span className="sr-only">{word}</span>}
      <bdi className="pr-3">{text === "" ? " " : text}</bdi>
    </span>
  )
}
