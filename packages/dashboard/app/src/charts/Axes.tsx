/** The lines and labels behind a chart. */
import { labeledSteps, stepText } from "./steps.ts"

export const plot = { height: 176, left: 52, right: 8, top: 8, bottom: 22 } as const

export interface Place {
  readonly width: number
  readonly count: number
  /** The value at the top. */
  readonly highest: number
}

const across = ({ width }: Place): number => Math.max(0, width - plot.left - plot.right)

/** The width of a step, px. */
export const stepWidth = (place: Place): number => across(place) / Math.max(1, place.count)

/** The middle of a step, px. */
export const xOf = (place: Place, index: number): number => plot.left + (index + 0.5) * stepWidth(place)

export const yOf = ({ highest }: Place, value: number): number => {
  const bottom = plot.height - plot.bottom
  return bottom - (value / highest) * (bottom - plot.top)
}

interface AxesProps {
  readonly place: Place
  readonly ticks: ReadonlyArray<number>
  readonly starts: ReadonlyArray<number>
  readonly format: (value: number) => string
}

const labelWidth = 64

export const Axes = ({ format, place, starts, ticks }: AxesProps) => (
  <g className="numbers">
    {ticks.map((tick) => (
      <g key={tick}>
        <line
          x1={plot.left}
          x2={place.width - plot.right}
          y1={Math.round(yOf(place, tick)) + 0.5}
          y2={Math.round(yOf(place, tick)) + 0.5}
          className="stroke-line"
        />
        <text x={plot.left - 6} y={yOf(place, tick) + 4} textAnchor="end" className="fill-muted text-xs">
          {format(tick)}
        </text>
      </g>
    ))}
    {labeledSteps(starts, Math.floor(across(place) / labelWidth)).map((index) => (
      <text
        key={index}
        x={Math.min(xOf(place, index), place.width - 20)}
        y={plot.height - 4}
        textAnchor="middle"
        className="fill-muted text-xs"
      >
        {stepText(starts[index] ?? 0, "day")}
      </text>
    ))}
  </g>
)

/** The chosen step. */
export const Marker = ({ at, place }: { readonly place: Place; readonly at: number | null }) =>
  at === null ? null : (
    <line
      x1={xOf(place, at)}
      x2={xOf(place, at)}
      y1={plot.top}
      y2={plot.height - plot.bottom}
      className="stroke-edge"
      strokeDasharray="2 2"
    />
  )
