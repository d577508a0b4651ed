/** A table of a page that has several, or of rows that lead nowhere. A page's main list is `List`. */
import type { Column } from "../lists/List.tsx"

interface TableProps<Row> {
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly rowKey: (row: Row) => string
}

const hidden = { sm: "max-sm:hidden", md: "max-md:hidden", lg: "max-lg:hidden" } as const

const classOf = <Row,>({ align, hideBelow }: Column<Row>): string =>
  `px-3 py-1.5 ${align === "right" ? "text-right" : "text-left"} ${hideBelow === undefined ? "" : hidden[hideBelow]}`

export const Table = <Row,>({ columns, label, rowKey, rows }: TableProps<Row>) => (
  <div role="region" aria-label={label} tabIndex={0} className="w-full overflow-x-auto rounded-lg border border-line">
    <table className="w-full border-collapse text-sm">
      <thead>
        <tr className="border-b border-line bg-side">
          {columns.map((column) => (
            <th
              key={column.title}
              scope="col"
              className={`text-xs font-medium whitespace-nowrap text-muted ${classOf(column)}`}
            >
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)} className="border-b border-line last:border-0">
            {columns.map((column) => (
              <td key={column.title} className={`numbers align-top ${classOf(column)}`}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
