/** The parts that pages are made of. */
import { Fragment, useEffect } from "react"
import type { ReactNode } from "react"

interface PageProps {
  readonly title: string
  /** In place of the title at the top, such as an amount. */
  readonly heading?: ReactNode
  readonly description?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** Of the document. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Paymux`
  }, [title])
}

export const Page = ({ actions, children, description, heading, title }: PageProps) => {
  useTitle(title)
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-5 px-4 py-5 sm:px-6">
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h1 className="text-xl font-semibold break-words">{heading ?? title}</h1>
          {description !== undefined && <div className="mt-0.5 max-w-3xl text-sm text-muted">{description}</div>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

interface SectionProps {
  readonly title: string
  readonly actions?: ReactNode
  readonly description?: ReactNode
  readonly children: ReactNode
}

export const Section = ({ actions, children, description, title }: SectionProps) => (
  <section aria-label={title} className="flex min-w-0 flex-col gap-2.5">
    <div className="flex flex-wrap items-end justify-between gap-2">
      <div>
        <h2 className="font-semibold">{title}</h2>
        {description !== undefined && <p className="text-sm text-muted">{description}</p>}
      </div>
      {actions}
    </div>
    {children}
  </section>
)

export const Card = ({ children, className = "" }: { readonly children: ReactNode; readonly className?: string }) => (
  <div className={`min-w-0 rounded-lg border border-line bg-raised p-4 ${className}`}>{children}</div>
)

/** Names and values. `null` is shown as a dash. */
export const Details = ({
  entries
}: {
  readonly entries: ReadonlyArray<readonly [name: string, value: ReactNode]>
}) => (
  <dl className="grid grid-cols-1 gap-x-6 gap-y-1.5 text-sm sm:grid-cols-[minmax(8rem,max-content)_1fr]">
    {entries.map(([name, value]) => (
      <div key={name} className="contents">
        <dt className="text-muted">{name}</dt>
        <dd className="mb-1.5 min-w-0 break-words sm:mb-0">{value ?? <span className="text-muted">–</span>}</dd>
      </div>
    ))}
  </dl>
)

/** Nothing here yet, and what to do next. */
export const Empty = ({ children, title }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="flex flex-col items-center gap-2 rounded-lg border border-dashed border-line px-4 py-10 text-center">
    <p className="font-medium">{title}</p>
    {children !== undefined && (
      <div className="flex max-w-md flex-col items-center gap-3 text-sm text-muted">{children}</div>
    )}
  </div>
)

/** Text from outside, isolated so that it does not change the direction of text beside it. */
export const Foreign = ({ text }: { readonly text: string }) => <bdi className="break-words">{text}</bdi>

/**
 * Text from outside that may be an email or IP address. One that does not fit breaks between its parts, if it can; several
 * words, such as a time, break between the words.
 */
export const Address = ({ text }: { readonly text: string }) => (
  <bdi className="wrap-anywhere">
    {(text.includes(" ") ? [text] : text.split(/(?<=[@:])/)).map((part, index) => (
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </bdi>
)

/** In the place of what is being loaded, at its size. */
export const Skeleton = ({ className = "h-4 w-full" }: { readonly className?: string }) => (
  <span aria-hidden className={`block animate-pulse rounded bg-line ${className}`} />
)

/** As many lines as there will be, so that nothing moves. */
export const SkeletonLines = ({ lines }: { readonly lines: number }) => (
  <div role="status" aria-label="Loading" className="flex flex-col gap-3">
    {Array.from({ length: lines }, (_, line) => (
      <Skeleton key={line} className="h-8 w-full" />
    ))}
  </div>
)
