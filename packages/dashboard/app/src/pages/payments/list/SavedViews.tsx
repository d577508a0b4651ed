import { Bookmark, X } from "lucide-react"
import { useState } from "react"
import type { FormEvent } from "react"
import { useListSearch } from "../../../lists/search.ts"
import type { Search } from "../../../lists/search.ts"
import { textIn } from "../../../session/formText.ts"
import { TenantLink } from "../../../session/TenantLink.tsx"
import { Button, IconButton } from "../../../ui/Button.tsx"
import { Actions, Dialog } from "../../../ui/Dialog.tsx"
import { Field, Input } from "../../../ui/Field.tsx"
import { Foreign } from "../../../ui/Layout.tsx"
import { toast } from "../../../ui/Toast.tsx"
import { filtersIn } from "./paymentFilters.ts"
import { builtInViews, isSameSearch, useSavedViews } from "./savedViews.ts"
import type { View } from "./savedViews.ts"

export const SavedViews = () => {
  const [saved, store] = useSavedViews()
  const [naming, setNaming] = useState(false)
  const search = filtersIn(useListSearch())
  const views = [...builtInViews, ...saved]
  const isNew = !views.some((view) => isSameSearch(view.search, search))
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line">
      <nav aria-label="Views" className="-mb-px flex min-w-0 gap-1 overflow-x-auto">
        {builtInViews.map((view) => (
          <ViewLink key={view.name} view={view} search={search} />
        ))}
        {saved.map((view) => (
          <span key={view.name} className="flex items-center">
            <ViewLink view={view} search={search} />
            <IconButton
              label={`Delete view ${view.name}`}
              className="size-5"
              onClick={() => store(saved.filter(({ name }) => name !== view.name))}
            >
              <X size={12} aria-hidden />
            </IconButton>
          </span>
        ))}
      </nav>
      {isNew && (
        <Button look="ghost" onClick={() => setNaming(true)}>
          <Bookmark size={14} aria-hidden />
          Save view
        </Button>
      )}
      <NameDialog
        open={naming}
        onClose={() => setNaming(false)}
        taken={views.map(({ name }) => name)}
        onName={(name) => {
          store([...saved, { name, search }])
          setNaming(false)
          toast(`Saved the view ${name}`)
        }}
      />
    </div>
  )
}

const ViewLink = ({ search, view }: { readonly view: View; readonly search: Search }) => {
  const isShown = isSameSearch(view.search, search)
  return (
    <TenantLink
      path="payments"
      search={view.search}
      // The address alone does not say it: a view has no place in the list.
      aria-current={isShown ? "page" : "false"}
      className={`border-b-2 px-2.5 py-1.5 text-sm whitespace-nowrap ${isShown ? "border-accent font-medium text-ink" : "border-transparent text-muted hover:text-ink"}`}
    >
      <Foreign text={view.name} />
    </TenantLink>
  )
}

interface NameDialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly taken: ReadonlyArray<string>
  readonly onName: (name: string) => void
}

const NameDialog = ({ onClose, onName, open, taken }: NameDialogProps) => {
  const [fault, setFault] = useState<string>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = textIn(event.currentTarget, "name").trim()
    if (name === "") return setFault("Enter a name.")
    if (taken.includes(name)) return setFault("Another view has this name.")
    setFault(undefined)
    onName(name)
  }
  return (
    <Dialog open={open} onClose={onClose} title="Save view" description="The filters of this list, in this browser.">
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field label="Name" error={fault}>
          <Input name="name" maxLength={40} autoComplete="off" autoFocus />
        </Field>
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Save
          </Button>
        </Actions>
      </form>
    </Dialog>
  )
}
