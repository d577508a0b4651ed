import { ChevronDown, CircleCheck, CircleDashed } from "lucide-react"
import { useId, useState } from "react"
import type { ReactNode } from "react"

interface StepProps {
  readonly number: number
  readonly title: string
  readonly done: boolean
  /** It opens when its turn comes, and closes only when the person closes it. */
  readonly isNext: boolean
  /** Of a step that is done: what was found. */
  readonly found?: ReactNode
  readonly children: ReactNode
}

export const Step = ({ children, done, found, isNext, number, title }: StepProps) => {
  const id = useId()
  const [open, setOpen] = useState(isNext)
  const [wasNext, setWasNext] = useState(isNext)
  if (wasNext !== isNext) {
    setWasNext(isNext)
    if (isNext) setOpen(true)
  }
  const Icon = done ? CircleCheck : CircleDashed
  return (
    <li className="min-w-0 border-b border-line last:border-0">
      <div className="flex items-center gap-3 px-4 py-3">
        <Icon
          size={18}
          aria-hidden
          className={`shrink-0 ${done ? "text-good" : isNext ? "text-accent" : "text-muted"}`}
        />
        <h2 className="min-w-0 flex-1 font-medium">
          <button
            type="button"
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
            className="flex w-full items-center gap-2 text-left"
          >
            <span className={done || isNext ? "" : "text-muted"}>
              {number}. {title}
            </span>
            <span role="status" className="text-xs font-normal text-good">
              {done ? "Done" : ""}
            </span>
            <ChevronDown size={16} aria-hidden className={`ml-auto shrink-0 text-muted ${open ? "rotate-180" : ""}`} />
          </button>
        </h2>
      </div>
      {done && found !== undefined && <div className="-mt-1.5 pr-4 pb-3 pl-11.5 text-sm text-muted">{found}</div>}
      <div id={id} hidden={!open} className="flex min-w-0 flex-col gap-3 pr-4 pb-5 pl-4 text-sm sm:pl-11.5">
        {children}
      </div>
    </li>
  )
}

/** What is awaited. */
export const Waiting = ({ children }: { readonly children: ReactNode }) => (
  <p role="status" className="flex items-center gap-2 text-muted">
    <span aria-hidden className="size-2 shrink-0 animate-pulse rounded-full bg-accent" />
    {children}
  </p>
)
