/** Chooses the period. It is in the URL, so that a link shows the same. */
import { Link } from "@tanstack/react-router"
import type { Search } from "../lists/search.ts"
import { periods } from "./period.ts"
import type { Period } from "./period.ts"

export const PeriodLinks = ({ period }: { readonly period: Period }) => (
  <nav aria-label="Period" className="flex h-8 rounded-md border border-line bg-canvas p-0.5 text-sm">
    {periods.map((days) => (
      <Link
        key={days}
        to="."
        search={(before: Search) => ({ ...before, period: days })}
        // Another period is the same page.
        resetScroll={false}
        activeProps={{}}
        aria-current={days === period.days ? "true" : undefined}
        className={`rounded px-2.5 py-0.5 font-medium ${days === period.days ? "bg-accent-soft text-accent" : "text-muted hover:text-ink"}`}
      >
        {days} days
      </Link>
    ))}
  </nav>
)
