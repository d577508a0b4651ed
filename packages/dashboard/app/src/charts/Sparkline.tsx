/** A small line without axes: how one number went. */
import { colorAt, fills, strokes } from "./chart.ts"
import type { ChartProps } from "./chart.ts"
import { ChartFrame } from "./ChartFrame.tsx"
import { runsOf } from "./scale.ts"

const height = 40
const edge = 3
const margin = { left: 0, right: 0 }

export const Sparkline = (chart: ChartProps) => {
  const [{ values } = { values: [] }] = chart.series
  const highest = chart.highest ?? (Math.max(0, ...values.map((value) => value ?? 0)) || 1)
  const x = (index: number, width: number) => ((index + 0.5) * width) / Math.max(1, chart.starts.length)
  const y = (value: number) => height - edge - (value / highest) * (height - 2 * edge)
  return (
    <ChartFrame
      chart={chart}
      height={height}
      margin={margin}
      draw={(width, at) => {
        const chosen = at === null ? null : (values[at] ?? null)
        return (
          <>
            {runsOf(values).map((run) => (
              <polyline
                key={run[0]?.index}
                points={run.map(({ index, value }) => `${x(index, width)},${y(value)}`).join(" ")}
                fill="none"
                strokeWidth={1.5}
                strokeLinejoin="round"
                className={colorAt(strokes, 0)}
              />
            ))}
            {at !== null && chosen !== null && (
              <circle cx={x(at, width)} cy={y(chosen)} r={3} className={colorAt(fills, 0)} />
            )}
          </>
        )
      }}
    />
  )
}
