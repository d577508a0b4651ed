/** Lines over time, with gaps where nothing is known. */
import { Axes, Marker, plot, xOf, yOf } from "./Axes.tsx"
import type { Place } from "./Axes.tsx"
import { colorAt, fills, strokes } from "./chart.ts"
import type { ChartProps, Series } from "./chart.ts"
import { ChartFrame } from "./ChartFrame.tsx"
import { runsOf, ticksTo } from "./scale.ts"

export const LineChart = (chart: ChartProps) => {
  const { format, series, starts } = chart
  const values = series.flatMap((each) => each.values.map((value) => value ?? 0))
  const ticks = ticksTo(chart.highest ?? Math.max(0, ...values))
  const placeAt = (width: number): Place => ({ width, count: starts.length, highest: ticks.at(-1) ?? 1 })
  return (
    <ChartFrame
      chart={chart}
      height={plot.height}
      margin={plot}
      draw={(width, at) => (
        <>
          <Axes place={placeAt(width)} ticks={ticks} starts={starts} format={format} />
          <Marker place={placeAt(width)} at={at} />
          {series.map((each, index) => (
            <Line key={each.name} place={placeAt(width)} series={each} index={index} at={at} />
          ))}
        </>
      )}
    />
  )
}

interface LineProps {
  readonly place: Place
  readonly series: Series
  /** Of the series: its color. */
  readonly index: number
  readonly at: number | null
}

const Line = ({ at, index, place, series: { values } }: LineProps) => {
  const chosen = at === null ? null : (values[at] ?? null)
  return (
    <g>
      {runsOf(values).map((run) => {
        const [first] = run
        if (first === undefined) return null
        // One value alone has no line.
        return run.length === 1 ? (
          <circle
            key={first.index}
            cx={xOf(place, first.index)}
            cy={yOf(place, first.value)}
            r={1.75}
            className={colorAt(fills, index)}
          />
        ) : (
          <polyline
            key={first.index}
            points={run.map((point) => `${xOf(place, point.index)},${yOf(place, point.value)}`).join(" ")}
            fill="none"
            strokeWidth={1.75}
            strokeLinejoin="round"
            strokeLinecap="round"
            className={colorAt(strokes, index)}
          />
        )
      })}
      {at !== null && chosen !== null && (
        <circle cx={xOf(place, at)} cy={yOf(place, chosen)} r={3.5} className={colorAt(fills, index)} />
      )}
    </g>
  )
}
