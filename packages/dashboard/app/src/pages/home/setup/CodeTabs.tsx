/** The same program in several languages. The chosen language stands in the address. */
import { useNavigate } from "@tanstack/react-router"
import { Tabs } from "radix-ui"
import { useListSearch, valueOf } from "../../../lists/search.ts"
import type { Search } from "../../../lists/search.ts"
import { Code } from "../../../ui/Copy.tsx"

export interface Sample {
  readonly language: string
  readonly code: string
  /** How it is saved and run. */
  readonly hint: string
}

export const CodeTabs = ({ label, samples }: { readonly label: string; readonly samples: ReadonlyArray<Sample> }) => {
  const navigate = useNavigate()
  const asked = valueOf(useListSearch(), "language")
  const chosen = samples.find(({ language }) => language === asked) ?? samples[0]
  const choose = (language: string) =>
    void navigate({ to: ".", search: (before: Search) => ({ ...before, language }), replace: true, resetScroll: false })
  return (
    <Tabs.Root value={chosen?.language ?? ""} onValueChange={choose} className="flex min-w-0 flex-col gap-2">
      <Tabs.List aria-label={label} className="flex flex-wrap gap-1">
        {samples.map(({ language }) => (
          <Tabs.Trigger
            key={language}
            value={language}
            className="rounded-md px-2.5 py-1 text-sm text-muted hover:text-ink data-[state=active]:bg-accent-soft data-[state=active]:font-medium data-[state=active]:text-accent"
          >
            {language}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {samples.map(({ code, hint, language }) => (
        <Tabs.Content key={language} value={language} className="flex min-w-0 flex-col gap-1.5">
          <Code text={code} label={`Copy the ${language} code`} />
          <p className="text-xs text-muted">{hint}</p>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}
