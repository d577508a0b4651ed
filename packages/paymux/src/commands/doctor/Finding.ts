/** One line of `paymux doctor`. */
export interface Finding {
  /** `warning`: it works, and is a risk. Only a `fault` makes the command fail. */
  readonly grade: "ok" | "warning" | "fault"
  readonly name: string
  /** What was found; of a warning or fault also what to do. */
  readonly text: string
}

export const ok = (name: string, text: string): Finding => ({ grade: "ok", name, text })
export const warning = (name: string, text: string): Finding => ({ grade: "warning", name, text })
export const fault = (name: string, text: string): Finding => ({ grade: "fault", name, text })

const marks = { ok: "✓", warning: "!", fault: "✗" } as const

export const findingText = ({ grade, name, text }: Finding): string => `${marks[grade]} ${name.padEnd(10)}  ${text}`
