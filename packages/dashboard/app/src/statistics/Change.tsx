/** How a number differs from the period before. */
import { ArrowDown, ArrowRight, ArrowUp } from "lucide-react"
import type { ReactNode } from "react"

interface ChangeProps {
  readonly now: number | null
  readonly before: number | null
  /** `rate`: in percentage points, and more is better. Default: in percent. */
  readonly of?: "amount" | "rate"
  /** Without a period before to compare with. */
  readonly otherwise?: ReactNode
}

export const Change = ({ before, now, of = "amount", otherwise = null }: ChangeProps) => {
  if (now === null || before === null || (of === "amount" && before === 0)) {
    return otherwise
  }
  const difference = of === "rate" ? (now - before) * 100 : (now / before - 1) * 100
  const rounded = Math.abs(difference) >= 10 ? Math.round(difference) : Math.round(difference * 10) / 10
  const Arrow = rounded === 0 ? ArrowRight : rounded > 0 ? ArrowUp : ArrowDown
  return (
    <span className={`numbers inline-flex items-center gap-0.5 text-xs whitespace-nowrap ${tone(rounded, of)}`}>
      <Arrow size={12} aria-hidden />
      {`${rounded > 0 ? "+" : rounded < 0 ? "−" : ""}${Math.abs(rounded)} ${of === "rate" ? "points" : "%"}`}
      <span className="sr-only">, compared with the period before</span>
    </span>
  )
}

const tone = (difference: number, of: "amount" | "rate"): string => {
  if (of === "amount" || difference === 0) return "text-muted"
  return difference > 0 ? "text-good" : "text-bad"
}
