/** Compares two versions, or shows the text of one, as the URL says. */
import { useState } from "react"
import type { FormEvent } from "react"
import { useGet } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import { useListSearch, useSetSearch, valueOf } from "../../lists/search.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Code } from "../../ui/Copy.tsx"
import { Field, Input } from "../../ui/Field.tsx"
import { Section, SkeletonLines } from "../../ui/Layout.tsx"
import { Note, ProblemNote } from "../../ui/Problem.tsx"
import { TextDiff } from "./Lazy.tsx"

const isVersion = (text: string | undefined): text is string => text !== undefined && /^[1-9]\d{0,8}$/.test(text)

export const VersionsCompared = ({ newest }: { readonly newest: number | null }) => {
  const search = useListSearch()
  const [from, to] = [valueOf(search, "from"), valueOf(search, "to")]
  if (!isVersion(to)) return null
  const title = isVersion(from) ? `Changes from version ${from} to version ${to}` : `Text of version ${to}`
  return (
    <Section title={title} actions={<Versions key={`${from}-${to}`} from={from ?? ""} to={to} newest={newest} />}>
      {isVersion(from) ? <Compared from={from} to={to} /> : <Single version={to} />}
    </Section>
  )
}

interface VersionsProps {
  readonly from: string
  readonly to: string
  readonly newest: number | null
}

const Versions = ({ from, newest, to }: VersionsProps) => {
  const set = useSetSearch()
  const after = valueOf(useListSearch(), "after")
  const [chosen, setChosen] = useState({ from, to })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    set({ after, ...chosen })
  }
  const limits = { type: "number", min: 1, max: newest ?? undefined, className: "w-24" } as const
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <Field label="From version">
        <Input
          {...limits}
          value={chosen.from}
          onChange={(event) => setChosen({ ...chosen, from: event.target.value })}
        />
      </Field>
      <Field label="To version">
        <Input
          {...limits}
          required
          value={chosen.to}
          onChange={(event) => setChosen({ ...chosen, to: event.target.value })}
        />
      </Field>
      <Button type="submit">Compare</Button>
      <Button look="ghost" onClick={() => set({ after, from: undefined, to: undefined })}>
        Close
      </Button>
    </form>
  )
}

const useVersion = (id: string) =>
  useGet(
    "/dashboard/api/{account}/{mode}/rules/versions/{id}",
    { path: { ...useTenant(), id } },
    { staleTime: Number.POSITIVE_INFINITY }
  )

const Single = ({ version }: { readonly version: string }) => {
  const { data, error, refetch } = useVersion(version)
  return data === undefined ? (
    <Absent error={error} version={version} onRetry={() => void refetch()} />
  ) : (
    <Code text={data.text} label="Copy the rules" />
  )
}

const Compared = ({ from, to }: { readonly from: string; readonly to: string }) => {
  const [before, after] = [useVersion(from), useVersion(to)]
  if (before.data === undefined) {
    return <Absent error={before.error} version={from} onRetry={() => void before.refetch()} />
  }
  if (after.data === undefined) return <Absent error={after.error} version={to} onRetry={() => void after.refetch()} />
  return (
    <TextDiff
      before={before.data.text}
      after={after.data.text}
      label={`Changes from version ${from} to version ${to}`}
    />
  )
}

interface AbsentProps {
  readonly error: unknown
  readonly version: string
  readonly onRetry: () => void
}

const Absent = ({ error, onRetry, version }: AbsentProps) => {
  if (error === null) return <SkeletonLines lines={4} />
  return isProblem(error, "not_found") ? (
    <Note tone="info">
      <p>There is no version {version}.</p>
    </Note>
  ) : (
    <ProblemNote error={error} onRetry={onRetry} />
  )
}
