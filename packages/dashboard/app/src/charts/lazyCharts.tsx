/** The charts, loaded when the first one is shown, in a place of their size. */
import { lazy, Suspense } from "react"
import type { ComponentType } from "react"
import { Skeleton } from "../ui/Layout.tsx"
import type { ChartProps } from "./chart.ts"

const lazily = (load: () => Promise<{ readonly default: ComponentType<ChartProps> }>, size: string) => {
  const Chart = lazy(load)
  return (chart: ChartProps) => (
    <Suspense fallback={<Skeleton className={size} />}>
      <Chart {...chart} />
    </Suspense>
  )
}

export const LineChart = lazily(async () => ({ default: (await import("./LineChart.tsx")).LineChart }), "h-51 w-full")

export const StackedBars = lazily(
  async () => ({ default: (await import("./StackedBars.tsx")).StackedBars }),
  "h-56 w-full sm:h-51"
)

export const Sparkline = lazily(async () => ({ default: (await import("./Sparkline.tsx")).Sparkline }), "h-17 w-full")
