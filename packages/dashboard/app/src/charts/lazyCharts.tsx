/** The charts, in chunks of their own that are loaded with the page that shows them, while it reads its numbers. */
import { lazy, Suspense, useState } from "react"
import type { ComponentType } from "react"
import { Skeleton } from "../ui/Layout.tsx"
import type { ChartProps } from "./chart.ts"

const lazily = (load: () => Promise<{ readonly default: ComponentType<ChartProps> }>, size: string) => {
  const loaded: { chart: ComponentType<ChartProps> | null } = { chart: null }
  const loading = load()
  // A failure is reported where the chart is rendered.
  loading.then(({ default: chart }) => (loaded.chart = chart)).catch(() => undefined)
  const Late = lazy(() => loading)
  return (chart: ChartProps) => {
    // Without a fallback if it is there already: React shows what replaces a fallback 300 ms later at the earliest.
    const [Chart] = useState(() => loaded.chart ?? Late)
    return (
      <Suspense fallback={<Skeleton className={size} />}>
        <Chart {...chart} />
      </Suspense>
    )
  }
}

export const LineChart = lazily(async () => ({ default: (await import("./LineChart.tsx")).LineChart }), "h-51 w-full")

export const StackedBars = lazily(
  async () => ({ default: (await import("./StackedBars.tsx")).StackedBars }),
  "h-56 w-full sm:h-51"
)

export const Sparkline = lazily(async () => ({ default: (await import("./Sparkline.tsx")).Sparkline }), "h-17 w-full")
