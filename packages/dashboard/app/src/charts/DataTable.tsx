/** The numbers of a chart as a table: the same for everyone, and exact. */
import type { ChartProps } from "./chart.ts"
import { valueText } from "./chart.ts"
import { stepText } from "./steps.ts"

export const DataTable = ({ format, series, starts, step, title }: ChartProps) => (
  <div
    role="region"
    aria-label={`${title}, table`}
    tabIndex={0}
    className="h-44 overflow-auto rounded border border-line"
  >
    <table className="w-full border-collapse text-xs">
      <caption className="sr-only">{title}</caption>
      <thead>
        <tr className="border-b border-line bg-side text-muted">
          <th scope="col" className="px-2 py-1 text-left font-medium">
            {step === "day" ? "Day (UTC)" : "Hour"}
          </th>
          {series.map(({ name }) => (
            <th key={name} scope="col" className="px-2 py-1 text-right font-medium">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {starts.map((start, index) => (
          <tr key={start} className="border-b border-line last:border-0">
            <th scope="row" className="px-2 py-1 text-left font-normal whitespace-nowrap">
              {stepText(start, step)}
            </th>
            {series.map(({ name, values }) => (
              <td key={name} className="numbers px-2 py-1 text-right">
                {valueText(values[index], format)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
