/** The results of `paymux doctor`. Only a `fault` makes the command fail. */
import type { Finding } from "@paymux/dashboard"

export const ok = (name: string, text: string): Finding => ({ grade: "ok", name, text })
export const warning = (name: string, text: string): Finding => ({ grade: "warning", name, text })
export const fault = (name: string, text: string): Finding => ({ grade: "fault", name, text })

const marks = { ok: "✓", warning: "!", fault: "✗" } as const

export const findingText = ({ grade, name, text }: Finding): string => `${marks[grade]} ${name.padEnd(10)}  ${text}`
