/** A number of a period, how it changed, and its chart. */
import type { ReactNode } from "react"
import { Card } from "../ui/Layout.tsx"

interface FigureProps {
  readonly title: string
  readonly value: string
  readonly change?: ReactNode
  readonly children: ReactNode
}

export const Figure = ({ change, children, title, value }: FigureProps) => (
  <Card className="flex flex-col gap-3">
    <div>
      <h2 className="text-sm text-muted">{title}</h2>
      <p className="flex items-baseline gap-2">
        <span className="numbers text-xl font-semibold">{value}</span>
        {change}
      </p>
    </div>
    {children}
  </Card>
)
