/** A bar for each step, made of the series on top of each other: what is counted. */
import { Axes, Marker, plot, stepWidth, xOf, yOf } from "./Axes.tsx"
import type { Place } from "./Axes.tsx"
import { colorAt, fills } from "./chart.ts"
import type { ChartProps, Series } from "./chart.ts"
import { ChartFrame } from "./ChartFrame.tsx"
import { ticksTo } from "./scale.ts"

export const StackedBars = (chart: ChartProps) => {
  const { format, series, starts } = chart
  const sums = starts.map((_, at) => sumAt(series, at))
  const ticks = ticksTo(chart.highest ?? Math.max(0, ...sums), 1)
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
          {starts.map((start, index) => (
            <Bar key={start} place={placeAt(width)} series={series} at={index} />
          ))}
        </>
      )}
    />
  )
}

const Bar = ({
  at,
  place,
  series
}: {
  readonly place: Place
  readonly series: ReadonlyArray<Series>
  readonly at: number
}) => {
  const width = Math.max(1, stepWidth(place) - Math.min(4, stepWidth(place) / 4))
  return (
    <g>
      {series.map(({ name, values }, index) => {
        const value = values[at] ?? 0
        if (value <= 0) return null
        const below = sumAt(series.slice(0, index), at)
        const top = yOf(place, below + value)
        const height = yOf(place, below) - top
        return (
          <rect
            key={name}
            x={xOf(place, at) - width / 2}
            y={top}
            width={width}
            height={height}
            className={colorAt(fills, index)}
          />
        )
      })}
    </g>
  )
}

/** Negative numbers have no bar. */
const sumAt = (series: ReadonlyArray<Series>, at: number): number =>
  series.reduce((sum, { values }) => sum + Math.max(0, values[at] ?? 0), 0)
