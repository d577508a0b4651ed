/** Finds payments by id, email address, provider reference, order or metadata. */
import { useNavigate } from "@tanstack/react-router"
import { Search as SearchIcon } from "lucide-react"
import type { FormEvent } from "react"
import { tenantPath, useTenant } from "../session/session.ts"
import type { Search as SearchParameters } from "../lists/search.ts"

const inputId = "search"

export const focusSearch = (): void => document.getElementById(inputId)?.focus()

export type Found =
  | { readonly to: "payment" | "refund" | "event"; readonly id: string }
  | { readonly to: "payments"; readonly search: SearchParameters }

/** Decides by the format of the text alone, without a request. */
const interpret = (text: string): Found => {
  if (text.startsWith("pay_")) return { to: "payment", id: text }
  if (text.startsWith("re_")) return { to: "refund", id: text }
  if (text.startsWith("evt_")) return { to: "event", id: text }
  if (text.includes("@")) return { to: "payments", search: { customerEmail: text } }
  if (/^order=./.test(text)) return { to: "payments", search: { order: text.slice("order=".length) } }
  if (/^[^=\s]{1,40}=./.test(text)) return { to: "payments", search: { metadata: text } }
  return { to: "payments", search: { providerReference: text } }
}

export const Search = () => {
  const tenant = useTenant()
  const navigate = useNavigate()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = event.currentTarget.elements.namedItem(inputId)
    const text = field instanceof HTMLInputElement ? field.value.trim().slice(0, 512) : ""
    if (text === "") return
    const found = interpret(text)
    void (found.to === "payments"
      ? navigate({ to: tenantPath(tenant, "payments"), search: found.search })
      : navigate({ to: tenantPath(tenant, `${found.to}s/${encodeURIComponent(found.id)}`) }))
  }
  return (
    <form role="search" onSubmit={submit} className="relative w-full max-w-md">
      <SearchIcon size={14} aria-hidden className="absolute top-1/2 left-2.5 -translate-y-1/2 text-muted" />
      <input
        id={inputId}
        name={inputId}
        type="search"
        autoComplete="off"
        aria-label="Search payments by id, email, provider reference, order=value or key=value"
        placeholder="Id, email, provider reference, key=value"
        maxLength={512}
        className="h-8 w-full rounded-md border border-edge bg-raised pr-2 pl-8 text-sm placeholder:text-muted"
      />
    </form>
  )
}
