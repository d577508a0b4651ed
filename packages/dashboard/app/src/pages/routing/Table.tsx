/** A small table of figures. */
import type { ReactNode } from "react"

interface Figure<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: "right"
}

interface TableProps<Row> {
  readonly label: string
  readonly columns: ReadonlyArray<Figure<Row>>
  readonly rows: ReadonlyArray<Row>
}

export const Table = <Row,>({ columns, label, rows }: TableProps<Row>) => (
  <div className="overflow-x-auto rounded-lg border border-line" role="region" aria-label={label} tabIndex={0}>
    <table className="w-full border-collapse text-sm">
      <thead>
        <tr className="border-b border-line bg-side">
          {columns.map(({ align = "left", title }) => (
            <th
              key={title}
              scope="col"
              className={`px-3 py-2 text-xs font-medium whitespace-nowrap text-muted ${align === "right" ? "text-right" : "text-left"}`}
            >
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index} className="border-b border-line last:border-0">
            {columns.map(({ align = "left", cell, title }) => (
              <td key={title} className={`px-3 py-1.5 align-top ${align === "right" ? "numbers text-right" : ""}`}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
