/** Form fields: label, control, hint and error. */
import { createContext, use, useId, useState } from "react"
import type { ClipboardEvent, ComponentProps, ReactNode } from "react"
import { countText } from "./numbers.ts"

interface FieldIds {
  readonly control: string
  readonly described: string | undefined
  readonly invalid: boolean
  /** `undefined`: what was refused is forgotten. */
  readonly refuse: (message: string | undefined) => void
}

const Ids = createContext<FieldIds | null>(null)

interface FieldProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly children: ReactNode
  readonly className?: string
}

export const Field = ({ children, className = "", error: given, hint, label }: FieldProps) => {
  const id = useId()
  const [refused, refuse] = useState<string>()
  const error = refused ?? given
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error === undefined ? [] : [`${id}-error`])]
  return (
    <Ids value={{ control: id, described: described.join(" ") || undefined, invalid: error !== undefined, refuse }}>
      <div className={`flex flex-col gap-1 ${className}`}>
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {children}
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-xs text-muted">
            {hint}
          </p>
        )}
        {error !== undefined && (
          <p id={`${id}-error`} role="alert" className="text-xs text-bad">
            {error}
          </p>
        )}
      </div>
    </Ids>
  )
}

const useFieldProps = () => {
  const ids = use(Ids)
  return ids === null
    ? {}
    : { id: ids.control, "aria-describedby": ids.described, "aria-invalid": ids.invalid || undefined }
}

/**
 * A text that does not fit is refused whole: its beginning would look like what was meant. A browser takes many seconds to
 * lay out megabytes in a field.
 */
const usePasteLimit = () => {
  const refuse = use(Ids)?.refuse
  return {
    onInput: () => refuse?.(undefined),
    onPaste: (event: ClipboardEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      const { maxLength, selectionEnd, selectionStart, value } = event.currentTarget
      const pasted = event.clipboardData.getData("text").length
      const kept = value.length - ((selectionEnd ?? 0) - (selectionStart ?? 0))
      if (maxLength < 0 || kept + pasted <= maxLength) return
      event.preventDefault()
      refuse?.(`At most ${counted(maxLength)} fit. What you pasted has ${counted(pasted)}.`)
    }
  }
}

const counted = (characters: number): string => `${countText(characters)} characters`

const box =
  "w-full rounded-md border border-edge bg-raised px-2.5 text-base text-ink placeholder:text-muted aria-invalid:border-bad disabled:opacity-60"

export const Input = ({ className = "", ...props }: ComponentProps<"input">) => (
  <input {...useFieldProps()} {...usePasteLimit()} {...props} className={`${box} h-8 ${className}`} />
)

export const Textarea = ({ className = "", ...props }: ComponentProps<"textarea">) => (
  <textarea {...useFieldProps()} {...usePasteLimit()} {...props} className={`${box} py-1.5 ${className}`} />
)

export const Select = ({ className = "", ...props }: ComponentProps<"select">) => (
  <select {...useFieldProps()} {...props} className={`${box} h-8 ${className}`} />
)

interface CheckboxProps extends ComponentProps<"input"> {
  readonly type?: "checkbox" | "radio"
  readonly label: ReactNode
}

export const Checkbox = ({ label, type = "checkbox", ...props }: CheckboxProps) => (
  <label className="flex items-start gap-2 text-sm">
    <input type={type} {...props} className="mt-0.5 size-4 shrink-0 accent-accent-fill" />
    <span className="min-w-0">{label}</span>
  </label>
)
