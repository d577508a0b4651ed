/** What every chart is given. */
import type { Step } from "./steps.ts"

export interface Series {
  readonly name: string
  /** One for each step; `null`: nothing is known of it. */
  readonly values: ReadonlyArray<number | null>
}

export interface ChartProps {
  /** What it shows: the accessible name, and the caption of the table. */
  readonly title: string
  /** Starts of the steps, ms UTC. */
  readonly starts: ReadonlyArray<number>
  readonly step: Step
  readonly series: ReadonlyArray<Series>
  readonly format: (value: number) => string
  /** Of the axis, such as 1 for a rate; default: the highest value. */
  readonly highest?: number
}

/** Five colors, then again from the first. */
export const strokes = ["stroke-chart-1", "stroke-chart-2", "stroke-chart-3", "stroke-chart-4", "stroke-chart-5"]
export const fills = ["fill-chart-1", "fill-chart-2", "fill-chart-3", "fill-chart-4", "fill-chart-5"]
export const swatches = ["bg-chart-1", "bg-chart-2", "bg-chart-3", "bg-chart-4", "bg-chart-5"]

export const colorAt = (colors: ReadonlyArray<string>, index: number): string => colors[index % colors.length] ?? ""

/** `12`, or a dash where nothing is known. */
export const valueText = (value: number | null | undefined, format: (value: number) => string): string =>
  value === null || value === undefined ? "–" : format(value)
