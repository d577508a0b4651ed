/** What a check found: what does not work first, then risks, then what is right. */
import { CircleCheck, CircleX, TriangleAlert } from "lucide-react"
import type { Schemas } from "../../api/client.ts"
import { Foreign } from "../../ui/Layout.tsx"

type Finding = Schemas["Finding"]

const grades = {
  fault: { Icon: CircleX, className: "text-bad", word: "Fault", rank: 0 },
  warning: { Icon: TriangleAlert, className: "text-warn", word: "Warning", rank: 1 },
  ok: { Icon: CircleCheck, className: "text-good", word: "OK", rank: 2 }
} as const

interface FindingsProps {
  readonly label: string
  readonly findings: ReadonlyArray<Finding>
}

export const Findings = ({ findings, label }: FindingsProps) => (
  <ul aria-label={label} className="w-full rounded-lg border border-line bg-raised text-sm">
    {findings
      .toSorted((one, other) => grades[one.grade].rank - grades[other.grade].rank)
      .map((finding, index) => (
        <Row key={`${index} ${finding.name}`} finding={finding} />
      ))}
  </ul>
)

const Row = ({ finding: { grade, name, text } }: { readonly finding: Finding }) => {
  const { className, Icon, word } = grades[grade]
  return (
    <li className="flex items-start gap-2.5 border-b border-line px-3 py-2 last:border-0">
      <Icon size={16} aria-label={word} role="img" className={`mt-0.5 shrink-0 ${className}`} />
      <p className="min-w-0">
        <span className="font-medium">{name}</span>: <Foreign text={text} />
      </p>
    </li>
  )
}

/** `2 faults, 1 warning`, or that all is right. */
export const summary = (findings: ReadonlyArray<Finding>): string => {
  const count = (grade: Finding["grade"]) => findings.filter((finding) => finding.grade === grade).length
  const parts = [
    ...(count("fault") > 0 ? [`${count("fault")} ${count("fault") === 1 ? "fault" : "faults"}`] : []),
    ...(count("warning") > 0 ? [`${count("warning")} ${count("warning") === 1 ? "warning" : "warnings"}`] : [])
  ]
  return parts.length === 0 ? "No problem was found." : `${parts.join(", ")}.`
}
