/** Around every chart: the legend, which reads out the chosen step, the way to the table, and the keyboard. */
import { useState } from "react"
import type { KeyboardEvent, PointerEvent, ReactNode } from "react"
import { ChartLine, Table } from "lucide-react"
import { IconButton } from "../ui/Button.tsx"
import { colorAt, swatches, valueText } from "./chart.ts"
import type { ChartProps } from "./chart.ts"
import { DataTable } from "./DataTable.tsx"
import { stepText } from "./steps.ts"
import { useWidth } from "./useWidth.ts"

interface FrameProps {
  readonly chart: ChartProps
  /** px */
  readonly height: number
  /** Left and right of the steps, px. */
  readonly margin: { readonly left: number; readonly right: number }
  /** `at`: the index of the chosen step; `null`: none. */
  readonly draw: (width: number, at: number | null) => ReactNode
}

export const ChartFrame = ({ chart, draw, height, margin }: FrameProps) => {
  const { ref, width } = useWidth()
  const [at, setAt] = useState<number | null>(null)
  const [asTable, setAsTable] = useState(false)
  const last = chart.starts.length - 1
  const move = (event: PointerEvent<HTMLElement>) => {
    const across = width - margin.left - margin.right
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - margin.left
    setAt(last < 0 || across <= 0 ? null : clamp(Math.floor((x / across) * (last + 1)), last))
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const next = stepAfter(event.key, at ?? last, last)
    if (next === null) return
    event.preventDefault()
    setAt(next)
  }
  return (
    <figure aria-label={chart.title} className="flex min-w-0 flex-col gap-1">
      <div className="flex items-start justify-between gap-2">
        <Legend chart={chart} at={at} />
        <IconButton
          label={asTable ? "Show as chart" : "Show as table"}
          className="-mt-1 shrink-0"
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? <ChartLine size={14} aria-hidden /> : <Table size={14} aria-hidden />}
        </IconButton>
      </div>
      <div ref={ref} className="min-w-0">
        {asTable ? (
          <DataTable {...chart} />
        ) : (
          <div
            role="slider"
            tabIndex={0}
            aria-label={chart.title}
            aria-readonly
            aria-valuemin={0}
            aria-valuemax={Math.max(0, last)}
            aria-valuenow={Math.max(0, at ?? last)}
            aria-valuetext={readout(chart, at ?? last)}
            // A page that becomes narrower is laid out once with the chart as wide as it was.
            className="overflow-hidden rounded"
            onPointerMove={move}
            onPointerLeave={() => setAt(null)}
            onFocus={() => setAt(at ?? clamp(last, last))}
            onBlur={() => setAt(null)}
            onKeyDown={press}
          >
            <svg aria-hidden width={width} height={height} className="block">
              {width > 0 && last >= 0 && draw(width, at)}
            </svg>
          </div>
        )}
      </div>
    </figure>
  )
}

const clamp = (index: number, last: number): number => Math.max(0, Math.min(last, index))

const stepAfter = (key: string, at: number, last: number): number | null => {
  switch (key) {
    case "ArrowLeft":
    case "ArrowDown":
      return clamp(at - 1, last)
    case "ArrowRight":
    case "ArrowUp":
      return clamp(at + 1, last)
    case "PageDown":
      return clamp(at - 7, last)
    case "PageUp":
      return clamp(at + 7, last)
    case "Home":
      return 0
    case "End":
      return clamp(last, last)
    default:
      return null
  }
}

const readout = ({ format, series, starts, step }: ChartProps, at: number): string => {
  const start = starts[at]
  if (start === undefined) return "No data"
  return `${stepText(start, step)}: ${series.map(({ name, values }) => `${name} ${valueText(values[at], format)}`).join(", ")}`
}

/** What the colors mean and, of the chosen step, the values. */
const Legend = ({
  at,
  chart: { format, series, starts, step }
}: {
  readonly chart: ChartProps
  readonly at: number | null
}) => {
  const start = at === null ? undefined : starts[at]
  return (
    <div className="numbers flex min-h-5 flex-wrap gap-x-3 gap-y-0.5 text-xs text-muted">
      {series.map(({ name, values }, index) => (
        <span key={name} className="inline-flex items-center gap-1.5 whitespace-nowrap">
          <span aria-hidden className={`size-2 rounded-sm ${colorAt(swatches, index)}`} />
          {name}
          {start !== undefined && (
            <span className="font-medium text-ink">{valueText(at === null ? null : values[at], format)}</span>
          )}
        </span>
      ))}
      {start !== undefined && <span className="whitespace-nowrap">{stepText(start, step)}</span>}
    </div>
  )
}
